import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';
import { readJsonArgument } from '@/lib/cli/input/read-json-argument';
import { flag, integer, text } from '@/lib/cli/options';
import { eventSender } from '@/lib/cli/session/event-sender';
import { type CommandSpec, command } from '@/lib/cli/spec';
import { sendLines } from './send-lines';
import { waitForDeliveries } from './wait-for-deliveries';

const DEFAULT_TIMEOUT_SECONDS = 60;

function sendCommand(name: string, prefix: string): CommandSpec {
  return command({
    name,
    summary: 'Send an event.',
    details:
      'With --stdin, sends one event for each line of standard input, such as {"type":"order.paid","data":{"total":5}}. ' +
      'A line that cannot be sent does not stop the others; the exit code is then 1.',
    args: { type: { description: 'type of the event, such as order.paid', isOptional: true } },
    options: {
      data: text('-d, --data <json>', 'data of the event: JSON, @file, or - for standard input (default {})'),
      idempotencyKey: text('--idempotency-key <key>', 'sends of the same key store one event'),
      wait: flag('--wait', 'wait until its deliveries have ended; exit with 1 if one failed'),
      timeout: integer('--timeout <seconds>', 'how long --wait waits (default 60)', { min: 1, max: 86_400 }),
      stdin: flag('--stdin', 'send one event for each line of standard input'),
    },
    examples: [
      { line: `${prefix} order.paid -d '{"orderId": "ord_1042"}'`, does: 'Send an event.' },
      {
        line: `${prefix} order.paid -d @order.json --wait`,
        does: 'Send the content of a file, and wait for its deliveries.',
      },
      { line: `${prefix} --stdin < events.ndjson`, does: 'Send many events.' },
    ],
    run: async (context, { args, options }) => {
      if (options.stdin) return sendLines(context);
      if (args.type === undefined) {
        const message = 'Give the type of the event, or --stdin.';
        throw new CliError({ message, code: 'usage', exitCode: EXIT.usage, next: `eds ${prefix} order.paid -d '{}'` });
      }
      const data = await readJsonArgument(context.terminal, options.data ?? '{}', 'The data');
      const client = await eventSender(context);
      const { idempotencyKey } = options;
      const event = await client.events.send({ type: args.type, data }, { idempotencyKey, signal: context.signal });
      if (!options.wait) return context.out.done(event, `Sent ${event.type} (${event.id}).`);
      await waitForDeliveries(context, event, (options.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
    },
  });
}

export const sendEvent = sendCommand('send', 'events send');
/** The shorter name of `events send`. */
export const send = sendCommand('send', 'send');
