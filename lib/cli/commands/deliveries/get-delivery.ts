import { Details } from '@/lib/cli/output/details';
import { command } from '@/lib/cli/spec';
import { deliveryStateOf } from '@/lib/events/delivery-state-policy';
import { showAttempts } from './show-attempts';
import { TargetNames } from './target-names';

const MAX_ATTEMPTS = 100;

export const getDelivery = command({
  name: 'get',
  summary: 'Show a delivery and its attempts.',
  args: { id: { description: 'ID of the delivery' } },
  examples: [
    { line: 'deliveries get 0197b6a0-…', does: 'See why a delivery failed.' },
    { line: `deliveries get 0197b6a0-… --json | jq -r '.attempts[0].responseBody'`, does: 'Get the last response.' },
  ],
  run: async (context, { args }) => {
    const { client, out, terminal, signal } = context;
    const project = { projectId: await context.projectId(), signal };
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
