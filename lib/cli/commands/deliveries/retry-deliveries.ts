import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { forEachConcurrently } from '@/lib/cli/input/for-each-concurrently';
import { flag, yes } from '@/lib/cli/options';
import { startProgress } from '@/lib/cli/output/progress';
import { command } from '@/lib/cli/spec';
import { isApiError } from '@/lib/client';
import { deliveryFilters, toDeliveryQuery } from './delivery-filters';

const AT_ONCE = 4;

export const retryDeliveries = command({
  name: 'retry',
  summary: 'Retry a delivery now, or all that failed.',
  args: { deliveryId: { description: 'ID of the delivery', isOptional: true } },
  options: {
    allFailed: flag('--all-failed', 'retry every failed delivery that the filters match'),
    ...deliveryFilters,
    yes,
  },
  examples: [
    { line: 'deliveries retry $DELIVERY_ID', does: 'Retry one delivery.' },
    {
      line: 'deliveries retry --all-failed --endpoint $ENDPOINT_ID --yes',
      does: 'Retry all that failed at an endpoint.',
    },
  ],
  run: async (context, { args, options }) => {
    if ((args.deliveryId === undefined) === !options.allFailed) {
      const message = 'Give the ID of a delivery, or --all-failed.';
      throw new CliError({ message, code: 'usage', exitCode: EXIT.usage });
    }
    if (args.deliveryId === undefined) return retryFailed(context, toDeliveryQuery(options, 'failed'), options.yes);
    const delivery = await context.client.deliveries.retry(args.deliveryId, await context.inProject());
    context.out.done(delivery, `The delivery ${delivery.id} is queued.`);
  },
});

async function retryFailed(context: Context, query: ReturnType<typeof toDeliveryQuery>, isConfirmed: boolean) {
  const { client, out, terminal } = context;
  const project = await context.inProject();
  await context.confirm('Retry every failed delivery that matches?', isConfirmed);
  const counts = { retried: 0, skipped: 0 };
  const progress = startProgress(terminal, () => `Retried ${counts.retried} deliveries`);
  try {
    await forEachConcurrently(client.deliveries.list({ ...query, limit: 100 }, project), AT_ONCE, async ({ id }) => {
      try {
        await client.deliveries.retry(id, { ...project, maxRetries: 10 });
        counts.retried += 1;
      } catch (error) {
        // Its endpoint is disabled, or somebody else has retried or removed it. Others can still be retried.
        if (!isApiError(error) || (error.status !== 409 && error.status !== 404)) throw error;
        counts.skipped += 1;
      }
    });
  } finally {
    progress.end();
  }
  const skipped = counts.skipped === 0 ? '' : ` Skipped ${counts.skipped} that cannot be retried.`;
  out.done(counts, `Queued ${counts.retried} deliveries.${skipped}`);
}
