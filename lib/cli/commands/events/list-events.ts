import { choice, paging, text, time } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { DELIVERY_STATUS_FILTERS } from '@/lib/events/delivery-state-policy';
import { EVENT_COLUMNS } from './event-columns';
import { TYPE_FILTER } from './event-type-filter';

export const listEvents = command({
  name: 'list',
  summary: 'List events and the state of their deliveries, newest first.',
  options: {
    type: TYPE_FILTER,
    status: choice('--status <status>', 'only events with a delivery in this state', DELIVERY_STATUS_FILTERS),
    endpoint: text('--endpoint <id>', 'only events with a delivery to this endpoint'),
    from: time('--from <time>', 'only events since this time'),
    to: time('--to <time>', 'only events until this time'),
    ...paging,
  },
  examples: [
    { line: `events list --type 'order.*' --from 1h`, does: 'List order events from the last hour.' },
    { line: 'events list --status failed --all --json', does: 'List those with failed deliveries.' },
  ],
  run: async (context, { options }) => {
    const { client, out, signal } = context;
    const { type, status, endpoint: endpointId, from, to } = options;
    const project = { projectId: await context.projectId(), signal };
    const query = { type, status, endpointId, from, to, limit: context.pageSize(options) };
    const rows = client.events.list(query, project);
    const empty = 'No events match. Send one: eds send <type> -d <json>';
    await out.list(rows, EVENT_COLUMNS, { limit: context.rowLimit(options), empty });
  },
});
