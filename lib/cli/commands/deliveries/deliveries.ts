import { listCommand } from '@/lib/cli/commands/resource';
import { choice } from '@/lib/cli/options';
import { Details } from '@/lib/cli/output/details';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { DELIVERY_STATUS_FILTERS, deliveryStateOf } from '@/lib/events/delivery-state-policy';
import { DELIVERY_COLUMNS, DELIVERY_FILTERS, filtersOf, TargetNames } from './delivery-rows';
import { retryDelivery } from './retry-delivery';
import { showAttempts } from './show-attempts';

const listDeliveries = listCommand({
  summary: 'List deliveries, newest first.',
  within: 'project',
  options: {
    status: choice('--status <status>', 'only deliveries with this status', DELIVERY_STATUS_FILTERS),
    ...DELIVERY_FILTERS,
  },
  columns: DELIVERY_COLUMNS,
  empty: 'No deliveries match. Events are delivered to the endpoints that subscribe to their type.',
  examples: [
    { line: 'deliveries list --status failed --from 2h', does: 'List what failed in the last two hours.' },
    {
      line: "deliveries list --type 'order.*' --response-status 5xx",
      does: 'List deliveries that got a server error.',
    },
    { line: 'deliveries list --endpoint 0197b6a0-… --all --json', does: 'Get all deliveries to an endpoint.' },
  ],
  rows: (context, { options, page, call }) => {
    const query = { ...page, ...filtersOf(options), status: options.status };
    return new TargetNames(context, call).ofAll(context.client.deliveries.list(query, call));
  },
});

const MAX_ATTEMPTS = 100;

const getDelivery = command({
  name: 'get',
  summary: 'Show a delivery and its attempts.',
  args: { id: { description: 'ID of the delivery' } },
  examples: [
    { line: 'deliveries get 0197b6a0-…', does: 'See why a delivery failed.' },
    { line: `deliveries get 0197b6a0-… --json | jq -r '.attempts[0].responseBody'`, does: 'Get the last response.' },
  ],
  run: async (context, { args }) => {
    const { client, out, terminal } = context;
    const project = await context.projectOptions();
    const [delivery, { data: attempts, nextCursor }] = await Promise.all([
      client.deliveries.get(args.id, project),
      client.deliveries.listAttempts(args.id, { limit: MAX_ATTEMPTS }, project),
    ]);
    if (out.isJson) return out.value({ ...delivery, attempts }, '');
    const named = await new TargetNames(context, project).named(delivery);
    new Details(terminal, out.style).fields(named, [
      { header: 'STATUS', value: (row) => deliveryStateOf(row), kind: 'state' },
      { header: 'ERROR', value: ({ status, lastError }) => (status === 'SUCCEEDED' ? null : lastError) },
      { header: 'TARGET', value: ({ target }) => target },
      { header: 'NEXT ATTEMPT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time' },
      { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount },
      { header: 'EVENT', value: ({ eventType }) => eventType },
      { header: 'EVENT ID', value: ({ eventId }) => eventId },
      { header: 'INCOMING EVENT', value: ({ incomingEventId }) => incomingEventId },
      { header: 'ENDPOINT', value: ({ endpointId }) => endpointId },
      { header: 'DESTINATION', value: ({ destinationId }) => destinationId },
      { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
      { header: 'ENDED', value: ({ completedAt }) => completedAt, kind: 'time' },
      { header: 'ID', value: ({ id }) => id },
    ]);
    if (attempts.length > 0) showAttempts(context, attempts);
    if (nextCursor !== null) out.note(`Only the last ${MAX_ATTEMPTS} attempts are shown.`);
    const removed = delivery.attemptCount - delivery.storedAttempts;
    if (removed > 0) out.note(`${removed} older ${removed === 1 ? 'attempt is' : 'attempts are'} no longer stored.`);
    if (delivery.status === 'FAILED') out.hint(`Retry it: eds deliveries retry ${delivery.id} --wait`);
  },
});

export const deliveries: GroupSpec = {
  name: 'deliveries',
  summary: 'View deliveries, see why they failed, and retry them.',
  commands: [listDeliveries, getDelivery, retryDelivery],
};
