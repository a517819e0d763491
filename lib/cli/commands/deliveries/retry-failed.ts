import { CliError } from '@/lib/cli/cli-error';
import { followJob } from '@/lib/cli/concurrency/follow-job';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import type { ProjectOptions } from '@/lib/client';
import type { BulkRetry } from '@/lib/delivery/schema';
import type { filtersOf } from './delivery-filters';

/**
 * Retries all failed deliveries that the filters choose, after a confirmation. The server does it; this shows how far it is.
 * @throws CliError when some cannot be retried
 */
export async function retryFailed(
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
