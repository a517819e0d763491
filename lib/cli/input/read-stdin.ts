import type { Terminal } from '@/lib/cli/terminal';
import { readAll } from './read-all';
import { usageError } from './usage-error';

/** Reads standard input to its end. @throws CliError when it is a terminal, or longer than 1 MiB */
export async function readStdin({ stdin }: Terminal, what: string): Promise<string> {
  if (stdin.isTTY) throw usageError(`Pipe ${what} to standard input.`);
  return await readAll(stdin, 'Standard input');
}
