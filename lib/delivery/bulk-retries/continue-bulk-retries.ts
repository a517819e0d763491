import { areTargetsCrowded, notifyDeliveries } from '@/lib/delivery/deliveries/deliveries-sql';
import { deliveryScan } from '@/lib/delivery/deliveries/delivery-scan-sql';
import { jobTries } from '@/lib/delivery/job-tries';
import { BulkRetryFilter } from '@/lib/delivery/schema';
import { addMs, MINUTE_MS } from '@/lib/platform/clock';
import { continueJob, type JobKind } from '@/lib/platform/continue-job';
import type { Sql } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { FOUND_IDS, type Scan, scanPage } from '@/lib/platform/sql/bounded-scan';
import {
  advanceBulkRetry,
  type BulkRetryRow,
  bulkRetryJobs,
  cancelBulkRetry,
  completeBulkRetry,
  lockDeliveries,
  lockDueBulkRetry,
  makeAllDue,
  type Outcome,
} from './bulk-retries-sql';

/** Deliveries of one batch, which is one transaction. */
const BATCH_DELIVERIES = 100;
/** What one bulk retry makes due, at most. */
const DELIVERIES_PER_SECOND = 200;
/** Between two batches, which look at many deliveries when few match. */
const MIN_PACE_SECONDS = 0.05;
/** A target with this many due deliveries gets no more until some have been sent: new events must not wait long behind them. */
const MAX_DUE = 200;
const CROWDED_SECONDS = 1;

const BULK_RETRIES: JobKind<BulkRetryRow> = {
  noun: 'bulk retry',
  lockDue: (tx, after) => lockDueBulkRetry.first(tx, { after }),
  doBatch: retryBatch,
  ...jobTries(bulkRetryJobs, 'bulk_retry.failed'),
  selectNextDue: bulkRetryJobs.selectNextDue,
};

/**
 * Makes one batch due of a bulk retry: owners take turns, and so do the bulk retries of an owner. Several workers may run it at once.
 * @returns the milliseconds until a bulk retry needs its next batch; null when none is running
 */
export function continueBulkRetries(): Promise<number | null> {
  return continueJob(BULK_RETRIES);
}

async function retryBatch(tx: Sql, job: BulkRetryRow): Promise<void> {
  if (!job.is_live) {
    await cancelBulkRetry.run(tx, { bulkRetry: job.id });
    return;
  }
  const scan = deliveryScan(job.project_id, BulkRetryFilter.parse(job.filter), true);
  const { ids, next } = await findNext(tx, job, scan);
  const found = await lockDeliveries(tx, ids, scan.conditions, job.created_at);
  const chosen = found.filter(({ outcome }) => outcome === 'RETRIED');
  const targetIds = [...new Set(chosen.map((delivery) => delivery.target_id))];
  const { crowded } = await areTargetsCrowded.one(tx, { targets: targetIds, most: MAX_DUE });
  if (crowded) {
    await bulkRetryJobs.reschedule.run(tx, { job: job.id, seconds: CROWDED_SECONDS });
    return;
  }
  if (chosen.length > 0) {
    await makeAllDue.run(tx, { project: job.project_id, deliveries: chosen.map(({ id }) => id) });
    await notifyDeliveries.run(tx, { project: job.project_id, targets: targetIds });
  }
  const count = (outcome: Outcome) => found.filter((delivery) => delivery.outcome === outcome).length;
  await advanceBulkRetry.run(tx, {
    bulkRetry: job.id,
    cursor: next ?? ids.at(-1) ?? null,
    retried: chosen.length,
    pending: count('PENDING'),
    disabled: count('DISABLED'),
    deleted: count('DELETED'),
    paceSeconds: Math.max(chosen.length / DELIVERIES_PER_SECOND, MIN_PACE_SECONDS),
  });
  if (next === null) await completeBulkRetry.run(tx, { bulkRetry: job.id });
}

/** Finds the next deliveries that may match; `next` is null when no others follow. */
async function findNext(tx: Sql, job: BulkRetryRow, scan: Scan): Promise<{ ids: string[]; next: string | null }> {
  const { delivery_ids: chosen, last_delivery_id: last, created_at: at } = job;
  if (chosen !== null && chosen.length > 0) {
    const left = chosen.filter((id) => last === null || id > last).sort();
    const ids = left.slice(0, BATCH_DELIVERIES);
    return { ids, next: left.length > ids.length ? (ids.at(-1) ?? null) : null };
  }
  // Deliveries of later events have higher ids, and may be many.
  const latest = lowestIdAt(addMs(at, MINUTE_MS));
  const below = scan.below != null && scan.below < latest ? scan.below : latest;
  const page = { limit: BATCH_DELIVERIES, cursor: last ?? undefined };
  const { rows, next } = await scanPage(tx, { ...scan, below }, page, FOUND_IDS);
  return { ids: rows.map(({ id }) => id), next };
}
