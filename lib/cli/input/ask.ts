import { createInterface } from 'node:readline';
import type { Terminal } from '@/lib/cli/terminal';

/**
 * Asks a question whose default is no; the end of the input (Ctrl-D) is a no too.
 * @returns null without a terminal: nobody would see it
 */
export async function askYesNo(terminal: Terminal, question: string, signal: AbortSignal): Promise<boolean | null> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  // Not as a terminal: readline would take Ctrl-C away from the process.
  const lines = createInterface({ input: stdin, terminal: false });
  stderr.write(`${question} [y/N] `);
  try {
    return /^y(es)?$/i.test((await firstLine(lines, signal)).trim());
  } finally {
    lines.close();
    stdin.pause();
  }
}

function firstLine(lines: ReturnType<typeof createInterface>, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
}
