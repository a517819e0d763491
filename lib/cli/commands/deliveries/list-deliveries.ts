import { choice, paging } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { DELIVERY_STATUS_FILTERS } from '@/lib/events/delivery-state-policy';
import { DELIVERY_COLUMNS } from './delivery-columns';
import { DELIVERY_FILTERS, filtersOf } from './delivery-filters';
import { TargetNames } from './target-names';

export const listDeliveries = command({
  name: 'list',
  summary: 'List deliveries, newest first.',
  options: {
    status: choice('--status <status>', 'only deliveries with this status', DELIVERY_STATUS_FILTERS),
    ...DELIVERY_FILTERS,
    ...paging,
  },
  examples: [
    { line: 'deliveries list --status failed --from 2h', does: 'List what failed in the last two hours.' },
    {
      line: "deliveries list --type 'order.*' --response-status 5xx",
      does: 'List deliveries that got a server error.',
    },
    { line: 'deliveries list --endpoint 0197b6a0-… --all --json', does: 'Get all deliveries to an endpoint.' },
  ],
  run: async (context, { options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const query = { ...filtersOf(options), status: options.status, limit: context.pageSize(options) };
    const rows = client.deliveries.list(query, project);
    const limit = context.rowLimit(options);
    const empty = 'No deliveries match. Events are delivered to the endpoints that subscribe to their type.';
    const names = new TargetNames(context, project);
    // JSON is what the API returns; names of targets would cost requests that nobody needs.
    if (out.isJson) await out.list(rows, [], { limit, empty });
    else await out.list(named(rows, names), DELIVERY_COLUMNS, { limit, empty });
  },
});

async function* named<T extends Parameters<TargetNames['named']>[0]>(rows: AsyncIterable<T>, names: TargetNames) {
  for await (const row of rows) yield await names.named(row);
}
