import { CliError, EXIT, usageError } from '@/lib/cli/cli-error';
import { followJob, pollUntil } from '@/lib/cli/concurrency/polling';
import type { Context } from '@/lib/cli/context';
import { duration, flag, yes } from '@/lib/cli/options';
import { Progress } from '@/lib/cli/output/progress';
import { command } from '@/lib/cli/spec';
import type { ProjectOptions } from '@/lib/client';
import type { BulkRetry, Delivery } from '@/lib/delivery/schema';
import { DELIVERY_FILTERS, filtersOf } from './delivery-rows';

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
    const project = await context.projectOptions();
    if (args.id === undefined) return retryFailed(context, project, { filters, isConfirmed: options.yes });
    const waitMs = options.wait ? (options.timeout ?? DEFAULT_WAIT_MS) : undefined;
    await retryOne(context, project, { id: args.id, waitMs });
  },
});

/** Retries a delivery, and waits for the attempt if `waitMs` says how long. @throws CliError when the attempt fails */
async function retryOne(
  context: Context,
  project: ProjectOptions,
  { id, waitMs }: { id: string; waitMs: number | undefined },
): Promise<void> {
  const { client, out } = context;
  // Counted before the retry: a worker may attempt it before its response is here.
  const { attemptCount } = await client.deliveries.get(id, project);
  const queued = await client.deliveries.retry(id, project);
  if (waitMs === undefined) return out.done(queued, `Queued the delivery ${id}. Watch it: eds deliveries get ${id}`);
  const ended = await waitForAttempt(context, project, { id, attemptCount, waitMs });
  const result = `Attempt ${ended.attemptCount}: ${ended.lastError ?? ended.lastResponseStatus ?? ended.status}`;
  if (ended.status === 'SUCCEEDED') return out.done(ended, `Succeeded. ${result}`);
  if (out.isJson) out.value(ended, '');
  const isOver = ended.attemptCount > attemptCount || ended.status === 'FAILED';
  throw new CliError({
    message: isOver ? 'The attempt failed.' : 'The attempt hasn’t finished yet.',
    reason: isOver ? result : undefined,
    code: isOver ? 'delivery_failed' : 'timeout',
    exitCode: EXIT.failure,
    next: `eds deliveries get ${id}`,
  });
}

async function waitForAttempt(
  { client, terminal, signal }: Context,
  project: ProjectOptions,
  { id, attemptCount, waitMs }: { id: string; attemptCount: number; waitMs: number },
): Promise<Delivery> {
  const progress = new Progress(terminal);
  progress.show('Waiting for the attempt…');
  return await pollUntil(
    (signal) => client.deliveries.get(id, { ...project, signal }),
    (delivery) => delivery.status !== 'PENDING' || delivery.attemptCount > attemptCount,
    { timeoutMs: waitMs, signal },
  ).finally(() => progress.clear());
}

/**
 * Retries all failed deliveries that the filters choose, after a confirmation. The server does it; this shows how far it is.
 * @throws CliError when some cannot be retried
 */
async function retryFailed(
  context: Context,
  project: ProjectOptions,
  { filters, isConfirmed }: { filters: ReturnType<typeof filtersOf>; isConfirmed: boolean },
): Promise<void> {
  const { client, out } = context;
  const { count, isExact } = await client.deliveries.count({ ...filters, status: 'FAILED' }, project);
  if (count === 0 && !out.isJson) return out.note('No failed deliveries match.');
  const many = isExact ? `${count}` : `more than ${count}`;
  if (count > 0) await context.confirm(`Retry ${many} failed ${noun(count)}?`, isConfirmed);
  const { from, to, ...ids } = filters;
  const body = { ...ids, status: 'FAILED' as const, from: from?.toISOString(), to: to?.toISOString() };
  const started = await client.bulkRetries.create(body, project);
  const { projectId } = project;
  const ended = await followJob(context, started, {
    read: () => client.bulkRetries.get(started.id, project),
    cancel: () => client.bulkRetries.cancel(started.id, projectId === undefined ? {} : { projectId }),
    describe: ({ retried, total }) => `Retried ${retried} of ${total} ${noun(total)}`,
  });
  report(context, ended);
}

function report({ out }: Context, ended: BulkRetry): void {
  const { retried, total, skipped, status } = ended;
  const canceled = status === 'CANCELED' ? ' Somebody canceled it.' : '';
  const isRefused = skipped.disabled + skipped.deleted > 0;
  const result = `Retried ${retried} of ${total} ${noun(total)}.${canceled}`;
  if (!isRefused) {
    out.done(ended, result);
    return;
  }
  if (out.isJson) out.value(ended, '');
  throw new CliError({
    message: result,
    reason: [
      ...(skipped.disabled > 0 ? [`Skipped ${skipped.disabled}: the endpoint or destination is disabled.`] : []),
      ...(skipped.deleted > 0 ? [`Skipped ${skipped.deleted}: the endpoint or destination is deleted.`] : []),
    ].join(' '),
    code: 'deliveries_skipped',
    exitCode: EXIT.failure,
  });
}

function noun(count: number): string {
  return count === 1 ? 'delivery' : 'deliveries';
}
