import { EVENT_DELIVERY_COLUMNS } from '@/lib/cli/commands/deliveries/delivery-columns';
import { ENDPOINT_SUBSCRIPTION_COLUMNS } from '@/lib/cli/commands/subscriptions/subscription-columns';
import type { Column } from '@/lib/cli/output/column';
import { Details } from '@/lib/cli/output/details';
import { command } from '@/lib/cli/spec';
import type { Delivery, Endpoint } from '@/lib/delivery/schema';
import { reasonOf, sinceOf, stateOf } from './endpoint-columns';

const RECENT = 5;

const FIELDS: Column<Endpoint>[] = [
  { header: 'STATE', value: stateOf, kind: 'state' },
  { header: 'SINCE', value: sinceOf, kind: 'time' },
  { header: 'REASON', value: reasonOf },
  { header: 'URL', value: ({ url }) => url },
  { header: 'DESCRIPTION', value: ({ description }) => description },
  { header: 'RETRY SECONDS', value: ({ retrySeconds }) => retrySeconds.join(', ') },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  { header: 'ID', value: ({ id }) => id },
];

/** The deliveries of one endpoint need no target. */
const DELIVERY_COLUMNS: Column<Delivery>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  ...(EVENT_DELIVERY_COLUMNS.filter(({ header }) => !['ID', 'TARGET'].includes(header)) as Column<Delivery>[]),
  { header: 'EVENT', value: ({ eventType }) => eventType },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

export const getEndpoint = command({
  name: 'get',
  summary: 'Show an endpoint with its state, subscriptions and recent deliveries.',
  args: { id: { description: 'ID of the endpoint' } },
  examples: [{ line: 'endpoints get 0197b6a0-…', does: 'Check whether an endpoint works.' }],
  run: async (context, { args }) => {
    const { client, out, terminal, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const endpoint = await client.endpoints.get(args.id, project);
    const [subscriptions, recentDeliveries] = await Promise.all([
      client.subscriptions.list({ endpointId: endpoint.id, limit: 100 }, project).then(({ data }) => data),
      client.deliveries.list({ endpointId: endpoint.id, limit: RECENT }, project).then(({ data }) => data),
    ]);
    if (out.isJson) return out.value({ ...endpoint, subscriptions, recentDeliveries }, '');
    const details = new Details(terminal, out.style);
    details.fields(endpoint, FIELDS);
    details.table('SUBSCRIPTIONS', 'subscription', subscriptions, ENDPOINT_SUBSCRIPTION_COLUMNS);
    if (subscriptions.length === 0)
      out.note(`None. It receives no events: eds subscriptions create ${endpoint.id} '*'`);
    details.table('RECENT DELIVERIES', 'delivery', recentDeliveries, DELIVERY_COLUMNS);
    if (recentDeliveries.length === 0) out.note('None yet.');
    if (!endpoint.enabled) out.hint(`Enable it: eds endpoints enable ${endpoint.id}`);
  },
});
