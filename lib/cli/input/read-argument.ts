import { createReadStream } from 'node:fs';
import type { Terminal } from '@/lib/cli/terminal';
import { readAll } from './read-all';
import { readStdin } from './read-stdin';
import { usageError } from './usage-error';

/**
 * Returns the text of an argument: `-` is standard input, `@file` a file, all else the text itself.
 * @param what the content, such as "the data of the event"
 * @throws CliError when it cannot be read, or is longer than 1 MiB
 */
export async function readArgument(terminal: Terminal, argument: string, what: string): Promise<string> {
  if (argument === '-') return await readStdin(terminal, what);
  if (!argument.startsWith('@')) return argument;
  const path = argument.slice(1);
  return await readAll(createReadStream(path), path).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code;
    throw code === undefined || !/^E[A-Z]+$/.test(code) ? error : usageError(`We couldn’t read ${path}: ${code}.`);
  });
}
