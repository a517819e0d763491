import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import type { Terminal } from '@/lib/cli/terminal';
import { readStdin } from './read-stdin';

/** Said in the help of each option that asks for a secret: a secret in a flag would be in the history of the shell. */
export const FROM_WHERE = 'read from `EDS_SECRET` or standard input';

/**
 * Reads a secret: EDS_SECRET, else standard input without its final line break, else a prompt that does not show it.
 * @param what completes "Enter …"
 * @throws CliError when it is empty
 */
export async function readSecret({ terminal, signal }: Context, what: string): Promise<string> {
  const { EDS_SECRET } = terminal.env;
  const given =
    EDS_SECRET || (terminal.stdin.isTTY ? await prompt(terminal, what, signal) : await piped(terminal, what));
  if (given !== '') return given;
  throw new CliError({
    message: `${what.charAt(0).toUpperCase()}${what.slice(1)} is empty.`,
    code: 'usage',
    exitCode: EXIT.usage,
    next: 'Pipe it to standard input, or set EDS_SECRET.',
  });
}

async function piped(terminal: Terminal, what: string): Promise<string> {
  return (await readStdin(terminal, what)).replace(/\r?\n$/, '');
}

async function prompt({ stdin, stderr }: Terminal, what: string, signal: AbortSignal): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: true });
  // In raw mode, Ctrl-C is a key.
  lines.on('SIGINT', () => process.emit('SIGINT'));
  stderr.write(`Enter ${what}: `);
  try {
    return await lines.question('', { signal });
  } finally {
    stderr.write('\n');
    lines.close();
  }
}
