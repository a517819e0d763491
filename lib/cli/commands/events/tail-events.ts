import { follow } from '@/lib/cli/concurrency/feed';
import { mapInOrder } from '@/lib/cli/concurrency/map-in-order';
import type { Context } from '@/lib/cli/context';
import { flag, text, time } from '@/lib/cli/options';
import { compactJson } from '@/lib/cli/output/format-body';
import { optionsFrom } from '@/lib/cli/routes/route-command';
import { command } from '@/lib/cli/spec';
import { isApiError } from '@/lib/client';
import type { EventListItem } from '@/lib/events/schema';
import { sanitize } from '@/lib/platform/terminal/sanitize';
import { dataText, type EventText, getEventText } from './show-event';

/** The option that chooses events by their type. A pattern means what it does in a subscription. */
export const TYPE_FILTER = text('-t, --type <type>', 'only events of this type or pattern, such as `order.*`');

const POLL_MS = 1_000;
/** Events whose data is got at a time. */
const AT_ONCE = 4;

export const tailEvents = command({
  summary: 'Show new events as they arrive.',
  details:
    'Runs until you press Ctrl-C. Shows every event exactly once, even if the server is down for a while. With `--json`, writes NDJSON.',
  options: {
    type: TYPE_FILTER,
    ...optionsFrom('events.list', 'customer'),
    from: time('--from <time>', 'start with events since this time'),
    withData: flag('--with-data', 'show the data of each event (one extra request per event)'),
  },
  examples: {
    "events tail --type 'order.*'": 'Follow order events.',
    'events tail --from 10m --with-data --json | jq .data': 'Follow the data, starting ten minutes ago.',
  },
  run: async (context, { options }) => {
    // Before it follows: what is wrong with the project does not pass by itself.
    await context.projectId();
    const { type, customer } = options;
    const list = (period: object) =>
      context.client.events.list({ type, customer, ...period, limit: 100 }, { maxRetries: 1 }).pages();
    await follow(context, { list, from: options.from, what: 'events', pollMs: POLL_MS }, async (events, connection) => {
      if (!options.withData) {
        for await (const event of events) show(context, event, null);
        return;
      }
      // An event is not yielded again, so getting it must not fail.
      const get = (event: EventListItem) => connection.run(() => getDetail(context, event));
      for await (const found of mapInOrder(events, AT_ONCE, get)) show(context, found.event, found.text);
    });
  },
});

/** Retention may have deleted an old event meanwhile. */
async function getDetail(
  context: Context,
  event: EventListItem,
): Promise<{ event: EventListItem; text: EventText | null }> {
  const text = await getEventText(context, event.id).catch((error: unknown) => {
    if (isApiError(error, 'not_found')) return null;
    throw error;
  });
  return { event, text };
}

function show({ out, terminal }: Context, event: EventListItem, text: EventText | null): void {
  const cells = [event.createdAt, event.id, event.type].map(sanitize);
  if (text !== null) cells.push(sanitize(compactJson(dataText(text))));
  const [time = '', ...others] = cells;
  const line = terminal.stdout.isTTY ? `${out.style.dim(time)}  ${others.join('  ')}` : cells.join('\t');
  out.jsonItem(text?.json ?? JSON.stringify(event), line);
}
