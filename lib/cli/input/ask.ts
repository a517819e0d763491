import { createInterface } from 'node:readline/promises';
import type { Terminal } from '@/lib/cli/terminal';

/** Asks a question whose default is no. @returns null without a terminal: nobody would see it */
export async function askYesNo(terminal: Terminal, question: string, signal: AbortSignal): Promise<boolean | null> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  const prompt = createInterface({ input: stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `, { signal })).trim());
  } finally {
    prompt.close();
  }
}
