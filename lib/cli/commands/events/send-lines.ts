import { CliError, describeError, EXIT, usageError } from '@/lib/cli/cli-error';
import { mapInOrder } from '@/lib/cli/concurrency/map-in-order';
import { readProjectKey } from '@/lib/cli/config/credentials';
import type { Context } from '@/lib/cli/context';
import { parseRounded } from '@/lib/cli/input/read-input';
import { type Line, readLines } from '@/lib/cli/input/read-lines';
import { Progress } from '@/lib/cli/output/progress';
import { type EventDeliveryClient, isApiError, NetworkError, type SendOptions } from '@/lib/client';
import { memberText } from '@/lib/events/member-text';
import type { EventSummary } from '@/lib/events/schema';
import { sanitize } from '@/lib/platform/terminal/sanitize';

const FIELDS = ['type', 'data', 'customer', 'idempotencyKey'];
const EXPECTED = 'It must be an object such as {"type": "order.paid", "data": {"id": 1}}.';

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
  const tally = new Tally(context);
  let fatal: unknown;
  const work = async ({ number, text }: Line): Promise<Result> => {
    try {
      const { idempotencyKey, ...event } = parseEventLine(text);
      return { line: number, event: await send(event, { maxRetries: MAX_RETRIES, idempotencyKey }) };
    } catch (error) {
      return { line: number, error };
    }
  };
  for await (const result of mapInOrder(lines, concurrency, work)) {
    signal.throwIfAborted();
    const { line } = result;
    if ('event' in result) {
      tally.succeeded(line, result.event);
    } else {
      tally.failed(line, result.error);
      if (isFatal(result.error)) fatal ??= result.error;
      if (isFailFast || fatal !== undefined) stopping.abort();
    }
  }
  signal.throwIfAborted();
  tally.end(fatal);
}

/** The other lines would fail in the same way. The client has waited for short rate limits and outages by itself. */
function isFatal(error: unknown): boolean {
  return error instanceof NetworkError || (isApiError(error) && [401, 403, 404, 429].includes(error.status));
}

/** An event that is sent. The API checks it. */
interface NewEvent {
  type: unknown;
  /** The text of an object, which is sent as it is, so that large numbers keep their digits; null without one. */
  data: string | null;
  customer: unknown;
}

/** An event of a line. */
interface EventLine extends NewEvent {
  idempotencyKey: string | undefined;
}

/** Parses a line of NDJSON. @throws CliError when it is not an event */
function parseEventLine(text: string): EventLine {
  const value = parseRounded(text, 'The line');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usageError(EXPECTED);
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw usageError(`It has an unknown field, ${JSON.stringify(unknown)}. ${EXPECTED}`);
  const { type, customer, idempotencyKey } = value as EventLine;
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
    throw usageError('idempotencyKey must be text.');
  }
  return { type, data: memberText(text, 'data'), customer, idempotencyKey };
}

/**
 * Writes what came of each line as it is known, and counts. With --json each is a line of NDJSON; as text the results go to standard
 * output and the errors to standard error. On a terminal it shows the progress.
 */
class Tally {
  readonly #progress: Progress;
  #sent = 0;
  #failed = 0;

  constructor(private readonly context: Context) {
    this.#progress = new Progress(context.terminal);
  }

  succeeded(line: number, event: EventSummary): void {
    this.#sent += 1;
    this.#progress.clear();
    this.context.out.item({ line, ...event }, [line, sanitize(event.id), sanitize(event.type)].join('\t'));
    this.#show();
  }

  failed(line: number, error: unknown): void {
    this.#failed += 1;
    this.#progress.clear();
    const fields = describeError(error);
    const { out } = this.context;
    if (out.isJson) out.item({ line, error: fields }, '');
    else out.note(`Line ${line}: ${[fields.message, ...(fields.reason?.split('\n') ?? [])].join(' ')}`);
    this.#show();
  }

  /** Says how many succeeded. @param fatal why the others were not tried @throws CliError when one failed */
  end(fatal: unknown): void {
    this.#progress.clear();
    const { out } = this.context;
    if (this.#failed === 0) {
      if (!out.isJson) out.note(`Sent ${this.#sent} events.`);
      return;
    }
    const cause = fatal === undefined ? null : describeError(fatal);
    const count = `${this.#failed} of ${this.#sent + this.#failed} events failed.`;
    if (cause === null) throw new CliError(count, 'batch_failed');
    throw new CliError(`${count} The rest weren’t tried.`, cause.code, { ...cause, reason: cause.message });
  }

  #show(): void {
    this.#progress.show(`Sent ${this.#sent} events${this.#failed > 0 ? `, ${this.#failed} failed` : ''}…`);
  }
}

type SendEvent = (event: NewEvent, options: SendOptions) => Promise<EventSummary>;

/**
 * Returns what sends events to the project of the command. The API takes events only with a key: a signed-in person needs one that
 * `eds keys create --save` has stored.
 * @throws CliError when a person has none
 */
export async function senderOf(context: Context): Promise<SendEvent> {
  const { client, globals, terminal, access } = context;
  if (access.kind === 'session') return sendingText((await clientOfSavedKey(context)).events.send);
  // The API key names its project. A named one is checked: see chooseProject.
  if (!(globals.project ?? terminal.env.EDS_PROJECT)) return sendingText(client.events.send);
  await context.projectId();
  return sendingText(client.events.sendToProject);
}

function sendingText(send: EventDeliveryClient['events']['send']): SendEvent {
  return ({ type, data, customer }, options) => {
    const members = [
      ...(type === undefined ? [] : [`"type":${JSON.stringify(type)}`]),
      ...(data === null ? [] : [`"data":${data}`]),
      ...(customer === undefined ? [] : [`"customer":${JSON.stringify(customer)}`]),
    ];
    // The client sends a text as it is.
    return send(`{${members}}` as never, options);
  };
}

async function clientOfSavedKey(context: Context): Promise<EventDeliveryClient> {
  const apiKey = readProjectKey(context.folder, context.url, await context.projectId());
  if (apiKey !== null) return context.clientFor({ kind: 'key', apiKey });
  throw new CliError('Sending events requires an API key for the project.', 'key_required', {
    exitCode: EXIT.forbidden,
    next: 'eds keys create my-machine --save',
  });
}
