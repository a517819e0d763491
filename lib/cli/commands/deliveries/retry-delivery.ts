import { usageError } from '@/lib/cli/input/usage-error';
import { duration, flag, yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';
import { DELIVERY_FILTERS, filtersOf } from './delivery-filters';
import { retryFailed } from './retry-failed';
import { retryOne } from './retry-one';

const DEFAULT_WAIT_MS = 60_000;

export const retryDelivery = command({
  name: 'retry',
  summary: 'Retry a delivery now, or all failed deliveries.',
  details: 'Retrying restarts the delivery’s retry schedule. A delivery that succeeded is sent once more.',
  args: { id: { description: 'ID of the delivery', isOptional: true } },
  options: {
    wait: flag('-w, --wait', 'wait for the attempt; exit with code 1 if it fails'),
    timeout: duration('--timeout <duration>', 'longest time to wait (default 60s)'),
    allFailed: flag('--all-failed', 'retry all failed deliveries that match the filters'),
    ...DELIVERY_FILTERS,
    yes,
  },
  examples: [
    { line: 'deliveries retry 0197b6a0-… --wait', does: 'Retry a delivery and show the result.' },
    { line: 'deliveries retry --all-failed --endpoint 0197b6a0-… --from 6h', does: 'Recover from an outage.' },
  ],
  run: async (context, { args, options }) => {
    const filters = filtersOf(options);
    const hasFilters = Object.values(filters).some((value) => value !== undefined);
    if ((args.id === undefined) !== options.allFailed) throw usageError('Give the ID of a delivery, or --all-failed.');
    if (args.id !== undefined && hasFilters) throw usageError('Use filters with --all-failed, not with an ID.');
    if (options.allFailed && options.wait)
      throw usageError('Use --wait with a single delivery, not with --all-failed.');
    const project = { projectId: await context.projectId(), signal: context.signal };
    if (args.id === undefined) return retryFailed(context, project, { filters, isConfirmed: options.yes });
    const waitMs = options.wait ? (options.timeout ?? DEFAULT_WAIT_MS) : undefined;
    await retryOne(context, project, { id: args.id, waitMs });
  },
});
