import { mapInOrder } from '@/lib/cli/concurrency/map-in-order';
import type { Context } from '@/lib/cli/context';
import { Batch } from '@/lib/cli/output/batch';
import { Progress } from '@/lib/cli/output/progress';
import type { ProjectOptions } from '@/lib/client';
import type { filtersOf } from './delivery-filters';

/** IDs in memory at most. */
const MAX_DELIVERIES = 100_000;
const AT_ONCE = 8;
const MAX_RETRIES = 10;

/** Retries all failed deliveries that the filters choose, after a confirmation. @throws CliError when one cannot be retried */
export async function retryFailed(
  context: Context,
  project: ProjectOptions,
  { filters, isConfirmed }: { filters: ReturnType<typeof filtersOf>; isConfirmed: boolean },
): Promise<void> {
  const { client, out, signal } = context;
  const ids = await findFailed(context, project, filters);
  if (ids.length === 0 && !out.isJson) return out.note('No failed deliveries match.');
  const items = ids.length === 1 ? 'delivery' : 'deliveries';
  if (ids.length > 0) await context.confirm(`Retry ${ids.length} failed ${items}?`, isConfirmed);
  const batch = new Batch(context, { done: 'Queued', items, total: ids.length });
  async function* each() {
    for (const id of ids) if (!signal.aborted) yield id;
  }
  const results = mapInOrder(each(), AT_ONCE, (id) =>
    client.deliveries.retry(id, { ...project, maxRetries: MAX_RETRIES }).then(
      (delivery) => ({ id, delivery }),
      (error: unknown) => ({ id, error }),
    ),
  );
  for await (const result of results) {
    signal.throwIfAborted();
    if ('delivery' in result) batch.succeeded(result.delivery, result.id);
    else batch.failed({ id: result.id }, result.id, result.error);
  }
  signal.throwIfAborted();
  batch.end();
  if (ids.length === MAX_DELIVERIES)
    out.note(`These were the newest ${MAX_DELIVERIES}. Run the command again for the others.`);
}

async function findFailed(
  { client, terminal }: Context,
  project: ProjectOptions,
  filters: ReturnType<typeof filtersOf>,
): Promise<string[]> {
  const progress = new Progress(terminal);
  const ids: string[] = [];
  for await (const { id } of client.deliveries.list({ ...filters, status: 'FAILED', limit: 100 }, project)) {
    ids.push(id);
    if (ids.length === MAX_DELIVERIES) break;
    progress.show(`Found ${ids.length} failed deliveries…`);
  }
  progress.clear();
  return ids;
}
