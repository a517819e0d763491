import { mapInOrder } from '@/lib/cli/concurrency/map-in-order';
import type { Context } from '@/lib/cli/context';
import { type Line, readLines } from '@/lib/cli/input/read-lines';
import { Batch } from '@/lib/cli/output/batch';
import { sanitize } from '@/lib/cli/output/sanitize';
import { isApiError, NetworkError } from '@/lib/client';
import type { EventSummary } from '@/lib/events/schema';
import { parseEventLine } from './parse-event-line';
import { senderOf } from './sender';

const MAX_RETRIES = 10;

type Result = { line: number; event: EventSummary } | { line: number; error: unknown };

/**
 * Sends the events of standard input, several at a time. A line that fails does not stop the others, unless no other could be
 * sent either: then the server is away or refuses the key.
 * @throws CliError when a line failed
 */
export async function sendLines(
  context: Context,
  { concurrency, isFailFast }: { concurrency: number; isFailFast: boolean },
): Promise<void> {
  const { terminal, signal } = context;
  const send = await senderOf(context);
  const stopping = new AbortController();
  const lines = readLines(terminal, 'events', AbortSignal.any([signal, stopping.signal]));
  const batch = new Batch(context, { done: 'Sent', items: 'events', total: null });
  let fatal: unknown;
  const work = async ({ number, text }: Line): Promise<Result> => {
    try {
      const { idempotencyKey, ...event } = parseEventLine(text);
      const options = { signal, maxRetries: MAX_RETRIES, ...(idempotencyKey !== undefined && { idempotencyKey }) };
      return { line: number, event: await send(event, options) };
    } catch (error) {
      return { line: number, error };
    }
  };
  for await (const result of mapInOrder(lines, concurrency, work)) {
    signal.throwIfAborted();
    const { line } = result;
    if ('event' in result) {
      const { id, type } = result.event;
      batch.succeeded({ line, ...result.event }, [line, id, sanitize(type)].join('\t'));
    } else {
      batch.failed({ line }, `Line ${line}`, result.error);
      if (isFatal(result.error)) fatal ??= result.error;
      if (isFailFast || fatal !== undefined) stopping.abort();
    }
  }
  signal.throwIfAborted();
  batch.end(fatal);
}

/** The other lines would fail in the same way. The client has waited for short rate limits and outages by itself. */
function isFatal(error: unknown): boolean {
  return error instanceof NetworkError || (isApiError(error) && [401, 403, 404, 429].includes(error.status));
}
