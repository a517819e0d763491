import { readJsonArgument } from '@/lib/cli/input/read-json-argument';
import { usageError } from '@/lib/cli/input/usage-error';
import { duration, flag, integer, text } from '@/lib/cli/options';
import { type CommandSpec, command } from '@/lib/cli/spec';
import { sendLines } from './send-lines';
import { sendOne } from './send-one';

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_WAIT_MS = 60_000;

/** The command that sends events. @param line how it is called: it has two names */
const sendCommand = (line: string): CommandSpec =>
  command({
    name: 'send',
    summary: 'Send an event, or many from standard input.',
    details:
      'Sending requires an API key: set `EDS_API_KEY`, or save one with `eds keys create --save`. With `--stdin`, each line is `{"type": …, "data": {…}}`, with an optional ' +
      '`"idempotencyKey"`. A line that fails doesn’t stop the others; the exit code is then 1.',
    args: { type: { description: 'type of the event, such as `order.paid`', isOptional: true } },
    options: {
      data: text('-d, --data <json|@file|->', 'data of the event, a JSON object (default `{}`)'),
      idempotencyKey: text('--idempotency-key <key>', 'requests with the same key create one event'),
      wait: flag('-w, --wait', 'wait for the deliveries and show them; exit with code 1 if one fails'),
      timeout: duration('--timeout <duration>', 'longest time to wait (default 60s)'),
      stdin: flag('--stdin', 'send events from standard input, one JSON object per line'),
      concurrency: integer('--concurrency <number>', 'events to send at a time with `--stdin` (default 8)', {
        min: 1,
        max: 64,
      }),
      failFast: flag('--fail-fast', 'with `--stdin`, stop at the first line that fails'),
    },
    examples: [
      { line: `${line} order.paid -d '{"orderId": 42}'`, does: 'Send an event.' },
      { line: `${line} order.paid -d @order.json --wait`, does: 'Send the contents of a file and wait for delivery.' },
      { line: `${line} --stdin --json < events.ndjson`, does: 'Send many events and get the result of each.' },
    ],
    run: async (context, { args: { type }, options }) => {
      const { data, idempotencyKey, wait, timeout, stdin, concurrency = DEFAULT_CONCURRENCY, failFast } = options;
      if (stdin) {
        const others = [type, data, idempotencyKey, timeout].some((given) => given !== undefined) || wait;
        if (others)
          throw usageError(
            '--stdin reads type and data from each line. Use it only with --concurrency and --fail-fast.',
          );
        return sendLines(context, { concurrency, isFailFast: failFast });
      }
      if (type === undefined) throw usageError('Give the type of the event, or --stdin.');
      const what = { option: '--data', what: 'the data of the event' };
      const object = data === undefined ? {} : await readJsonArgument(context.terminal, data, what);
      await sendOne(context, {
        type,
        data: object,
        idempotencyKey,
        waitMs: wait ? (timeout ?? DEFAULT_WAIT_MS) : undefined,
      });
    },
  });

export const sendEvent = sendCommand('events send');
export const send = sendCommand('send');
