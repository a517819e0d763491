import { CliError, EXIT, usageError } from '@/lib/cli/cli-error';
import { mapInOrder } from '@/lib/cli/concurrency/map-in-order';
import type { Context } from '@/lib/cli/context';
import { describeError } from '@/lib/cli/describe-error';
import { parseJson } from '@/lib/cli/input/read-input';
import { type Line, readLines } from '@/lib/cli/input/read-lines';
import { Progress } from '@/lib/cli/output/progress';
import { sanitize, sanitizeLines } from '@/lib/cli/output/sanitize';
import { isApiError, NetworkError } from '@/lib/client';
import type { EventSummary } from '@/lib/events/schema';
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

/** An event of a line. */
export interface EventLine {
  type: string;
  data: object;
  idempotencyKey: string | undefined;
}

const FIELDS = ['type', 'data', 'idempotencyKey'];
const EXPECTED = 'It must be an object such as {"type": "order.paid", "data": {"id": 1}}.';

/** Parses a line of NDJSON. The API checks type and data. @throws CliError when it is not an event */
export function parseEventLine(text: string): EventLine {
  const value = parseJson(text, 'The line');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usageError(EXPECTED);
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw usageError(`It has an unknown field, ${JSON.stringify(unknown)}. ${EXPECTED}`);
  const { idempotencyKey, ...event } = value as EventLine;
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
    throw usageError('idempotencyKey must be text.');
  }
  return { ...event, idempotencyKey };
}

export interface BatchWords {
  /** What succeeded, such as "Sent". */
  done: string;
  /** What each item is, in the plural: "events". */
  items: string;
  /** How many there are; null while it is not known. */
  total: number | null;
}

/**
 * Writes what came of each of many items as it is known, and counts. With --json each is a line of NDJSON; as text the results go
 * to standard output and the errors to standard error. On a terminal it shows the progress.
 */
export class Batch {
  readonly #progress: Progress;
  #succeeded = 0;
  #failed = 0;

  constructor(
    private readonly context: Context,
    private readonly words: BatchWords,
  ) {
    this.#progress = new Progress(context.terminal);
  }

  get hasFailed(): boolean {
    return this.#failed > 0;
  }

  /** Writes the result of an item. */
  succeeded(object: object, text: string): void {
    this.#succeeded += 1;
    this.#progress.clear();
    this.context.out.item(object, text);
    this.#show();
  }

  /** Writes the error of an item. @param label names the item to a person, and `object` to a program */
  failed(object: object, label: string, error: unknown): void {
    this.#failed += 1;
    this.#progress.clear();
    const fields = describeError(error);
    const { out } = this.context;
    if (out.isJson) out.item({ ...object, error: fields }, '');
    else out.note(`${label}: ${sanitizeLines([fields.message, fields.reason].filter(Boolean).join(' '))}`);
    this.#show();
  }

  /** Says how many succeeded. @param fatal why the others were not tried @throws CliError when one failed */
  end(fatal?: unknown): void {
    this.#progress.clear();
    const { done, items } = this.words;
    const total = this.#succeeded + this.#failed;
    if (!this.hasFailed) {
      if (!this.context.out.isJson) this.context.out.note(`${done} ${total} ${items}.`);
      return;
    }
    const cause = fatal === undefined ? null : describeError(fatal);
    const count = `${this.#failed} of ${total} ${items} failed`;
    throw new CliError({
      message: cause === null ? `${count}.` : `${count}. The rest weren’t tried.`,
      reason: cause?.message,
      code: cause?.code ?? 'batch_failed',
      exitCode: cause?.exitCode ?? EXIT.failure,
      next: cause?.next,
      requestId: cause?.requestId,
    });
  }

  #show(): void {
    const { done, items, total } = this.words;
    const count = total === null ? `${this.#succeeded}` : `${this.#succeeded + this.#failed} of ${total}`;
    this.#progress.show(`${done} ${count} ${items}${this.#failed > 0 ? `, ${this.#failed} failed` : ''}…`);
  }
}
