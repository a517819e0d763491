import { createInterface } from 'node:readline';
import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { describeError } from '@/lib/cli/describe-error';
import { EXIT } from '@/lib/cli/exit-codes';
import { forEachConcurrently } from '@/lib/cli/input/for-each-concurrently';
import { startProgress } from '@/lib/cli/output/progress';
import { eventSender } from '@/lib/cli/session/event-sender';
import { isApiError } from '@/lib/client';

const AT_ONCE = 8;
/** A line longer than the largest event that the API takes. */
const MAX_LINE_CHARS = 1024 * 1024;

interface Line {
  number: number;
  text: string;
}

/**
 * Sends one event for each line of standard input, and writes the result of each, in the order in which they end.
 * @throws CliError when a line failed
 */
export async function sendLines(context: Context): Promise<void> {
  const { out, terminal, signal } = context;
  const client = await eventSender(context);
  const counts = { sent: 0, failed: 0 };
  const progress = startProgress(terminal, () => `Sent ${counts.sent} events, ${counts.failed} failed`);
  const sendLine = async ({ number, text }: Line) => {
    try {
      const event = await client.events.send(parseLine(text), { signal, maxRetries: 10 });
      counts.sent += 1;
      out.item({ line: number, ...event }, `${event.id}\t${event.type}`);
    } catch (error) {
      // Without a valid key no other line can be sent either.
      if (signal.aborted || (isApiError(error) && [401, 403].includes(error.status))) throw error;
      counts.failed += 1;
      const { code, message } = describeError(error);
      if (out.isJson) out.item({ line: number, error: { code, message } }, '');
      else out.note(`Line ${number}: ${message}`);
    }
  };
  try {
    await forEachConcurrently(readLines(terminal.stdin), AT_ONCE, sendLine);
  } finally {
    progress.end();
  }
  if (!out.isJson) out.note(`Sent ${counts.sent} events.`);
  if (counts.failed === 0) return;
  const message = `${counts.failed} lines could not be sent.`;
  throw new CliError({ message, code: 'lines_failed', exitCode: EXIT.failure });
}

async function* readLines(input: NodeJS.ReadStream): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (text.trim() !== '') yield { number, text };
  }
}

function parseLine(text: string): { type: string; data: object } {
  if (text.length > MAX_LINE_CHARS) throw new Error('The line is longer than 1 MiB.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The line is not JSON.');
  }
  const { type, data = {} } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof type !== 'string') throw new Error('The line has no "type".');
  if (typeof data !== 'object' || data === null) throw new Error('"data" must be a JSON object.');
  return { type, data };
}
