import type { Column } from '@/lib/cli/output/column';
import { command } from '@/lib/cli/spec';
import type { Attempt } from '@/lib/delivery/schema';
import { DELIVERY_FIELDS } from './delivery-state';

const MAX_ATTEMPTS = 100;

const ATTEMPT_COLUMNS: Column<Attempt>[] = [
  { header: 'ATTEMPT', value: ({ attemptNumber }) => attemptNumber },
  { header: 'RESULT', value: ({ succeeded }) => (succeeded ? 'succeeded' : 'failed'), kind: 'state' },
  { header: 'RESPONSE', value: ({ responseStatus }) => responseStatus, kind: 'state' },
  { header: 'DURATION', value: ({ durationMs }) => `${durationMs} ms` },
  { header: 'STARTED', value: ({ startedAt }) => startedAt, kind: 'time' },
  { header: 'ERROR OR RESPONSE BODY', value: ({ error, responseBody }) => error ?? responseBody?.slice(0, 200) },
];

export const getDelivery = command({
  name: 'get',
  summary: 'Show a delivery with its attempts.',
  args: { deliveryId: { description: 'ID of the delivery' } },
  examples: [{ line: 'deliveries get $DELIVERY_ID', does: 'Show why a delivery fails.' }],
  run: async (context, { args }) => {
    const { client, out } = context;
    const project = await context.inProject();
    const delivery = await client.deliveries.get(args.deliveryId, project);
    const attempts = client.deliveries.listAttempts(args.deliveryId, { limit: MAX_ATTEMPTS }, project);
    if (out.isJson) {
      const { data } = await attempts;
      return out.record({ ...delivery, attempts: data }, []);
    }
    out.record(delivery, DELIVERY_FIELDS);
    if (delivery.storedAttempts === 0) return;
    out.section('Attempts');
    await out.list(attempts, ATTEMPT_COLUMNS, { limit: MAX_ATTEMPTS, empty: 'No attempts are stored any more.' });
  },
});
