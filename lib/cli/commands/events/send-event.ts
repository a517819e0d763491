import { CliError, usageError } from '@/lib/cli/cli-error';
import { pollUntil } from '@/lib/cli/concurrency/polling';
import type { Context } from '@/lib/cli/context';
import { readObjectText } from '@/lib/cli/input/read-input';
import { duration, flag, integer, text } from '@/lib/cli/options';
import { Progress } from '@/lib/cli/output/progress';
import { type CommandSpec, command } from '@/lib/cli/spec';
import type { EventDetail } from '@/lib/delivery/schema';
import type { EventSummary } from '@/lib/events/schema';
import { senderOf, sendLines } from './send-lines';
import { type EventText, getEventText, showEvent } from './show-event';

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_WAIT_MS = 60_000;

/** The command that sends events. @param line how it is called: it has two names */
export const sendCommand = (line: string): CommandSpec =>
  command({
    ...(line === 'events send' && { operations: ['events.send', 'events.sendToProject'] }),
    summary: 'Send an event, or many from standard input.',
    details:
      'Sending requires an API key: set `EDS_API_KEY`, or save one with `eds keys create --save`. With `--stdin`, each line is `{"type": …, "data": {…}}`, with an optional ' +
      '`"idempotencyKey"` and `"customer"`. A line that fails doesn’t stop the others; the exit code is then 1.',
    args: { type: { description: 'type of the event, such as `order.paid`', isOptional: true } },
    options: {
      data: text('-d, --data <json|@file|->', 'data of the event, a JSON object (default `{}`)'),
      customer: text('--customer <id|uid>', 'send it to the endpoints of this customer'),
      idempotencyKey: text('--idempotency-key <key>', 'requests with the same key create one event'),
      wait: flag('-w, --wait', 'wait for the deliveries and show them; exit with code 1 if one fails'),
      timeout: duration('--timeout <duration>', 'longest time to wait (default 60s)'),
      stdin: flag('--stdin', 'send events from standard input, one JSON object per line'),
      concurrency: integer('--concurrency <number>', 'events to send at a time with `--stdin` (default 8)', 1, 64),
      failFast: flag('--fail-fast', 'with `--stdin`, stop at the first line that fails'),
    },
    examples: {
      [`${line} order.paid -d '{"orderId": 42}'`]: 'Send an event.',
      [`${line} order.paid -d @order.json --wait`]: 'Send the contents of a file and wait for delivery.',
      [`${line} order.paid -d '{"orderId": 42}' --customer cus_8f2c1`]: 'Send it to one of your customers.',
      [`${line} --stdin --json < events.ndjson`]: 'Send many events and get the result of each.',
    },
    run: async (context, { args: { type }, options }) => {
      const {
        data,
        customer,
        idempotencyKey,
        wait,
        timeout,
        stdin,
        concurrency = DEFAULT_CONCURRENCY,
        failFast,
      } = options;
      if (stdin) {
        const others = [type, data, customer, idempotencyKey, timeout].some((given) => given !== undefined) || wait;
        const own =
          '--stdin reads type, data and customer from each line. Use it only with --concurrency and --fail-fast.';
        if (others) throw usageError(own);
        return sendLines(context, { concurrency, isFailFast: failFast });
      }
      if (type === undefined) throw usageError('Give the type of the event, or --stdin.');
      const what = { option: '--data', what: 'the data of the event' };
      const object = data === undefined ? '{}' : await readObjectText(context.terminal, data, what);
      const send = await senderOf(context);
      const sent = await send({ type, data: object, customer }, { idempotencyKey });
      await report(context, sent, wait ? (timeout ?? DEFAULT_WAIT_MS) : undefined);
    },
  });

/**
 * Says that an event was sent. With `waitMs`, waits that long until its deliveries have ended, and shows them.
 * @throws CliError when one failed or has not ended in time
 */
async function report(context: Context, sent: EventSummary, waitMs: number | undefined): Promise<void> {
  const { out, terminal } = context;
  if (waitMs === undefined) {
    if (!out.isJson && !terminal.stdout.isTTY) return out.value(sent, sent.id);
    out.done(sent, `Sent ${sent.type} (${sent.id}).`);
    return out.hint(`See its deliveries: eds events get ${sent.id}`);
  }
  const found = await waitForDeliveries(context, sent.id, waitMs);
  await showEvent(context, found, false);
  refuseUnlessDelivered(found.event);
}

async function waitForDeliveries(context: Context, id: string, waitMs: number): Promise<EventText> {
  const { terminal, signal } = context;
  const progress = new Progress(terminal);
  const ask = async (signal: AbortSignal) => {
    const found = await getEventText(context, id, signal);
    const { event } = found;
    const ended = event.deliveries.filter(({ status }) => status !== 'PENDING').length;
    const known = event.fanOutStatus === 'PENDING' ? 'the deliveries' : `${event.deliveries.length} deliveries`;
    progress.show(`Waiting for ${known}: ${ended} finished…`);
    return found;
  };
  return await pollUntil(ask, ({ event }) => hasEnded(event), { timeoutMs: waitMs, signal }).finally(() =>
    progress.clear(),
  );
}

function hasEnded({ fanOutStatus, deliveries }: EventDetail): boolean {
  return fanOutStatus !== 'PENDING' && deliveries.every(({ status }) => status !== 'PENDING');
}

function refuseUnlessDelivered(event: EventDetail): void {
  const { id, deliveries, fanOutStatus } = event;
  const failed = deliveries.filter(({ status }) => status === 'FAILED').length;
  const fault = (message: string, code: string) => new CliError(message, code, { next: `eds events get ${id}` });
  if (fanOutStatus === 'DEAD') throw fault('We couldn’t create the deliveries.', 'delivery_failed');
  if (!hasEnded(event)) throw fault('The deliveries didn’t finish in time.', 'timeout');
  if (failed > 0) throw fault(`${failed} of ${deliveries.length} deliveries failed.`, 'delivery_failed');
}
