import { columns } from '@/lib/cli/output/column';
import { route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { deliveryStateOf } from '@/lib/events/delivery-state-policy';
import { DELIVERY_COLUMNS, type NamedDelivery, TargetNames, TYPE_FILTER } from './delivery-rows';
import { retryDelivery } from './retry-delivery';
import { showAttempts } from './show-attempts';

const MAX_ATTEMPTS = 100;

const FIELDS = columns<NamedDelivery>(
  { header: 'STATUS', value: deliveryStateOf, kind: 'state' },
  { header: 'ERROR', value: ({ status, lastError }) => (status === 'SUCCEEDED' ? null : lastError) },
  'target',
  { header: 'NEXT ATTEMPT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time' },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount },
  { header: 'EVENT', value: ({ eventType }) => eventType },
  { header: 'EVENT ID', value: ({ eventId }) => eventId },
  { header: 'INCOMING EVENT', value: ({ incomingEventId }) => incomingEventId },
  { header: 'ENDPOINT', value: ({ endpointId }) => endpointId },
  { header: 'DESTINATION', value: ({ destinationId }) => destinationId },
  'createdAt',
  { header: 'ENDED', value: ({ completedAt }) => completedAt, kind: 'time' },
  'id',
);

export const deliveries: GroupSpec = {
  summary: 'View deliveries, see why they failed, and retry them.',
  commands: {
    list: route('deliveries.list', {
      summary: 'List deliveries, newest first.',
      options: { eventType: TYPE_FILTER },
      columns: DELIVERY_COLUMNS,
      empty:
        'No deliveries match. `failed` ones get no more attempts: those that wait for another have `--status retrying`.',
      examples: {
        'deliveries list --status failed --from 2h': 'List what failed in the last two hours.',
        "deliveries list --type 'order.*' --response-status 5xx": 'List deliveries that got a server error.',
        'deliveries list --endpoint 0197b6a0-… --all --json': 'Get all deliveries to an endpoint.',
        'deliveries list --customer cus_8f2c1 --status failed': 'List what a customer has not got.',
      },
      rows: (context, rows) => new TargetNames(context).ofAll(rows),
    }),
    get: command({
      operations: ['deliveries.get'],
      summary: 'Show a delivery and its attempts.',
      args: { id: { description: 'ID of the delivery' } },
      examples: {
        'deliveries get 0197b6a0-…': 'See why a delivery failed.',
        "deliveries get 0197b6a0-… --json | jq -r '.attempts[0].responseBody'": 'Get the last response.',
      },
      run: async (context, { args }) => {
        const { client, out } = context;
        const [delivery, { data: attempts, nextCursor }] = await Promise.all([
          client.deliveries.get(args.id),
          client.deliveries.listAttempts(args.id, { limit: MAX_ATTEMPTS }),
        ]);
        if (out.isJson) return out.value({ ...delivery, attempts }, '');
        out.fields(await new TargetNames(context).named(delivery), FIELDS);
        if (attempts.length > 0) showAttempts(context, attempts);
        if (nextCursor !== null) out.note(`Only the last ${attempts.length} attempts are shown.`);
        const removed = delivery.attemptCount - delivery.storedAttempts;
        if (removed > 0) {
          out.note(`${removed} older ${removed === 1 ? 'attempt is' : 'attempts are'} no longer stored.`);
        }
        if (delivery.status === 'FAILED') out.hint(`Retry it: eds deliveries retry ${delivery.id} --wait`);
      },
    }),
    retry: retryDelivery,
  },
};
