import { paging, time } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { EVENT_COLUMNS } from './event-columns';
import { TYPE_FILTER, type TypeFilter, typeFilter } from './event-type-filter';

const MAX_PAGE = 100;

export const listEvents = command({
  name: 'list',
  summary: 'List events, newest first, with what came of their deliveries.',
  options: {
    type: TYPE_FILTER,
    from: time('--from <time>', 'only events from this time on'),
    to: time('--to <time>', 'only events up to this time'),
    ...paging,
  },
  examples: [
    { line: `events list --type 'order.*' --from 1h`, does: 'Show the orders of the last hour.' },
    { line: `events list --all --json | jq '.[] | select(.deliveries.failed > 0)'`, does: 'Get those that failed.' },
  ],
  run: async (context, { options }) => {
    const { client, out, signal } = context;
    const filter = typeFilter(options.type);
    const { from, to } = options;
    const limit = filter.isPattern ? MAX_PAGE : context.pageSize(options);
    const project = { projectId: await context.projectId(), signal };
    const rows = client.events.list({ ...filter.query, from, to, limit }, project);
    const empty = 'No events match. Send one: eds send <type> -d <json>';
    await out.list(matching(rows, filter), EVENT_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});

async function* matching<T extends { type: string }>(rows: AsyncIterable<T>, filter: TypeFilter) {
  for await (const row of rows) if (filter.matches(row.type)) yield row;
}
