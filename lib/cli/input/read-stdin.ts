import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';
import type { Terminal } from '@/lib/cli/terminal';

/** More than the largest body that the API takes. */
const MAX_BYTES = 1024 * 1024;

/** Reads standard input to its end. @throws CliError when it is a terminal, or longer than 1 MiB */
export async function readStdin({ stdin }: Terminal, what: string): Promise<string> {
  if (stdin.isTTY) throw usage(`Pipe ${what} to standard input.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) throw usage('Standard input is longer than 1 MiB.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function usage(message: string): CliError {
  return new CliError({ message, code: 'usage', exitCode: EXIT.usage });
}
