import { usageError } from '@/lib/cli/cli-error';
import type { Terminal } from '@/lib/cli/terminal';
import { decodeUtf8, MAX_INPUT_BYTES } from './read-input';

export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
}

/**
 * Reads the lines of standard input as they are needed, without those that are blank. Ends when the signal aborts.
 * @param what the content, such as "events"
 * @throws CliError when it is a terminal, or a line is longer than 1 MiB or not UTF-8
 */
export async function* readLines({ stdin }: Terminal, what: string, signal: AbortSignal): AsyncGenerator<Line> {
  if (stdin.isTTY) throw usageError(`Pipe ${what} to standard input, one per line.`);
  // The writer may neither write nor close the pipe.
  const stop = () => void stdin.destroy();
  signal.addEventListener('abort', stop);
  try {
    for await (const line of split(stdin)) {
      if (signal.aborted) return;
      if (line.text.trim() !== '') yield line;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

async function* split(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      number += 1;
      yield { number, text: decodeLine(text, number) };
    }
    if (rest.length > MAX_INPUT_BYTES) throw usageError(`Line ${number + 1} is longer than 1 MiB.`);
  }
  yield { number: number + 1, text: decodeLine(rest, number + 1) };
}

/** @param bytes a character for each byte: a chunk may end within a character */
function decodeLine(bytes: string, number: number): string {
  return decodeUtf8(Buffer.from(bytes, 'latin1'), `Line ${number}`);
}
