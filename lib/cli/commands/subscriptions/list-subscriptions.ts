import { TargetNames } from '@/lib/cli/commands/deliveries/target-names';
import { paging, text } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import type { Subscription } from '@/lib/delivery/schema';
import { SUBSCRIPTION_COLUMNS } from './subscription-columns';

export const listSubscriptions = command({
  name: 'list',
  summary: 'List which endpoint receives which events.',
  options: { endpoint: text('--endpoint <id>', 'only subscriptions of this endpoint'), ...paging },
  examples: [
    { line: 'subscriptions list', does: 'Show where the project’s events go.' },
    { line: 'subscriptions list --endpoint 0197b6a0-…', does: 'Show which events an endpoint receives.' },
  ],
  run: async (context, { options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const query = { limit: context.pageSize(options), ...(options.endpoint && { endpointId: options.endpoint }) };
    const rows = client.subscriptions.list(query, project);
    const limit = context.rowLimit(options);
    const empty = 'No subscriptions. Create one: eds subscriptions create <endpoint-id> <event-type>';
    if (out.isJson) await out.list(rows, [], { limit, empty });
    else await out.list(named(rows, new TargetNames(context, project)), SUBSCRIPTION_COLUMNS, { limit, empty });
  },
});

async function* named(rows: AsyncIterable<Subscription>, names: TargetNames) {
  for await (const row of rows) yield await names.named({ ...row, destinationId: null, incomingEventId: null });
}
