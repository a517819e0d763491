import { CliError, usageError } from '@/lib/cli/cli-error';
import { followJob, pollUntil } from '@/lib/cli/concurrency/polling';
import type { Context } from '@/lib/cli/context';
import { duration, flag, yes } from '@/lib/cli/options';
import { Progress } from '@/lib/cli/output/progress';
import { optionsFrom } from '@/lib/cli/routes/route-command';
import { command, type Values } from '@/lib/cli/spec';
import type { BulkRetry, Delivery } from '@/lib/delivery/schema';
import { TYPE_FILTER } from './delivery-rows';

const DEFAULT_WAIT_MS = 60_000;

/** The options that choose failed deliveries. */
const FILTERS = {
  ...optionsFrom(
    'bulkRetries.create',
    'endpointId',
    'customer',
    'destinationId',
    'eventId',
    'incomingEventId',
    'responseStatus',
    'from',
    'to',
  ),
  eventType: TYPE_FILTER,
};

export const retryDelivery = command({
  operations: ['deliveries.retry', 'bulkRetries.create'],
  summary: 'Retry a delivery now, or all that failed or wait for another attempt.',
  details: 'Retrying restarts the delivery’s retry schedule. A delivery that succeeded is sent once more.',
  args: { id: { description: 'ID of the delivery', isOptional: true } },
  options: {
    wait: flag('-w, --wait', 'wait for the attempt; exit with code 1 if it fails'),
    timeout: duration('--timeout <duration>', 'longest time to wait (default 60s)'),
    allFailed: flag(
      '--all-failed',
      'retry all deliveries that match the filters and failed, or wait for another attempt',
    ),
    ...FILTERS,
    yes,
  },
  examples: {
    'deliveries retry 0197b6a0-… --wait': 'Retry a delivery and show the result.',
    'deliveries retry --all-failed --endpoint 0197b6a0-… --from 6h': 'Recover from an outage.',
  },
  run: async (context, { args: { id }, options: { wait, timeout, allFailed, yes, ...filters } }) => {
    const hasFilters = Object.values(filters).some((value) => value !== undefined);
    if ((id === undefined) !== allFailed) throw usageError('Give the ID of a delivery, or --all-failed.');
    if (id !== undefined && hasFilters) throw usageError('Use filters with --all-failed, not with an ID.');
    if (allFailed && wait) throw usageError('Use --wait with a single delivery, not with --all-failed.');
    if (id === undefined) await retryFailed(context, filters, yes);
    else await retryOne(context, id, wait ? (timeout ?? DEFAULT_WAIT_MS) : undefined);
  },
});

/** Retries a delivery, and waits for the attempt if `waitMs` says how long. @throws CliError when the attempt fails */
async function retryOne(context: Context, id: string, waitMs: number | undefined): Promise<void> {
  const { client, out } = context;
  // Counted before the retry: a worker may attempt it before its response is here.
  const { attemptCount } = await client.deliveries.get(id);
  const queued = await client.deliveries.retry(id);
  if (waitMs === undefined) return out.done(queued, `Retrying the delivery ${id}. Watch it: eds deliveries get ${id}`);
  const ended = await waitForAttempt(context, { id, attemptCount, waitMs });
  const result = `Attempt ${ended.attemptCount}: ${ended.lastError ?? ended.lastResponseStatus ?? ended.status}`;
  if (ended.status === 'SUCCEEDED') return out.done(ended, `Succeeded. ${result}`);
  if (out.isJson) out.value(ended, '');
  const next = `eds deliveries get ${id}`;
  const isOver = ended.attemptCount > attemptCount || ended.status === 'FAILED';
  if (isOver) throw new CliError('The attempt failed.', 'delivery_failed', { reason: result, next });
  throw new CliError('The attempt hasn’t finished yet.', 'timeout', { next });
}

async function waitForAttempt(
  { client, terminal, signal }: Context,
  { id, attemptCount, waitMs }: { id: string; attemptCount: number; waitMs: number },
): Promise<Delivery> {
  const progress = new Progress(terminal);
  progress.show('Waiting for the attempt…');
  return await pollUntil(
    (signal) => client.deliveries.get(id, { signal }),
    (delivery) => delivery.status !== 'PENDING' || delivery.attemptCount > attemptCount,
    { timeoutMs: waitMs, signal },
  ).finally(() => progress.clear());
}

/**
 * Retries all deliveries that the filters choose and that failed or wait for another attempt, after a confirmation. The server does it; this shows how far it is.
 * @throws CliError when some cannot be retried
 */
async function retryFailed(context: Context, filters: Values<typeof FILTERS>, isConfirmed: boolean): Promise<void> {
  const { client, out } = context;
  const { count, isExact } = await client.deliveries.count({ ...filters, status: 'UNDELIVERED' });
  if (count === 0 && isExact && !out.isJson) return out.note('No failed or waiting deliveries match.');
  const many = isExact ? `${count}` : `${count} or more`;
  if (count > 0 || !isExact)
    await context.confirm(`Retry ${many} ${noun(count)} that failed or wait for another attempt?`, isConfirmed);
  const { from, to, ...ids } = filters;
  const body = { ...ids, status: 'UNDELIVERED' as const, from: from?.toISOString(), to: to?.toISOString() };
  const ended = await followJob(context, await client.bulkRetries.create(body), {
    read: ({ id }) => client.bulkRetries.get(id),
    cancel: ({ id }) => context.cleanupClient.bulkRetries.cancel(id),
    describe: ({ retried, total }) => `Retried ${retried} of ${total} ${noun(total)}`,
  });
  report(context, ended);
}

function report({ out }: Context, ended: BulkRetry): void {
  const { id, retried, total, skipped, status, error } = ended;
  if (status === 'FAILED') {
    if (out.isJson) out.value(ended, '');
    const message = `The bulk retry ${id} failed after ${retried} of ${total} ${noun(total)}.`;
    throw new CliError(message, 'job_failed', { reason: error ?? undefined });
  }
  const canceled = status === 'CANCELED' ? ' Somebody canceled it.' : '';
  const result = `Retried ${retried} of ${total} ${noun(total)}.${canceled}`;
  // A delivery that is under way, or no longer matches, needs no retry.
  if (skipped.disabled + skipped.deleted === 0) {
    out.done(ended, result);
    return;
  }
  if (out.isJson) out.value(ended, '');
  const reasons = [
    [skipped.disabled, 'the endpoint or destination is paused or disabled'],
    [skipped.deleted, 'the endpoint or destination is deleted'],
  ].flatMap(([count, reason]) => (count === 0 ? [] : [`Skipped ${count}: ${reason}.`]));
  throw new CliError(result, 'deliveries_skipped', { reason: reasons.join(' ') });
}

function noun(count: number): string {
  return count === 1 ? 'delivery' : 'deliveries';
}
