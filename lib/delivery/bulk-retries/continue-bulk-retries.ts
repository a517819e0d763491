import { countDue, notifyDeliveries } from '@/lib/delivery/deliveries/due-sql';
import { matchParameters } from '@/lib/delivery/deliveries/match-parameters';
import { continueJob, type JobKind } from '@/lib/delivery/engine/continue-job';
import type { Sql } from '@/lib/platform/db';
import {
  advanceBulkRetry,
  type BulkRetryRow,
  cancelBulkRetry,
  completeBulkRetry,
  lockDueBulkRetry,
  lockNextDeliveries,
  makeAllDue,
  type Outcome,
  rescheduleBulkRetry,
  selectNextDue,
} from './continue-bulk-retries-sql';
import { readFilter } from './stored-filter';

/** Deliveries of one batch, which is one transaction. */
const BATCH_DELIVERIES = 100;
/** What one bulk retry makes due, at most. */
const DELIVERIES_PER_SECOND = 200;
/** A target with this many due deliveries gets no more until some have been sent: new events must not wait long behind them. */
const [MAX_DUE, CROWDED_SECONDS] = [200, 1];

const BULK_RETRIES: JobKind<BulkRetryRow> = {
  noun: 'bulk retry',
  lockDue: (tx) => lockDueBulkRetry.first(tx),
  doBatch: retryBatch,
  reschedule: rescheduleBulkRetry,
  selectNextDue,
};

/**
 * Makes one batch due of the bulk retry that has waited longest. Several workers may run it at once.
 * @returns the milliseconds until a bulk retry needs its next batch; null when none is running
 */
export function continueBulkRetries(): Promise<number | null> {
  return continueJob(BULK_RETRIES);
}

async function retryBatch(tx: Sql, job: BulkRetryRow): Promise<void> {
  if (!job.is_live) {
    await cancelBulkRetry.run(tx, job.id);
    return;
  }
  const choice = { filter: readFilter(job.filter), deliveryIds: job.delivery_ids };
  const parameters = matchParameters(job.project_id, choice, BATCH_DELIVERIES);
  const found = await lockNextDeliveries.all(tx, ...parameters, job.last_delivery_id, job.created_at);
  const chosen = found.filter(({ outcome }) => outcome === 'RETRIED');
  const targetIds = [...new Set(chosen.map((delivery) => delivery.target_id))];
  const { due } = await countDue.one(tx, targetIds, MAX_DUE);
  if (due >= MAX_DUE) {
    await rescheduleBulkRetry.run(tx, job.id, CROWDED_SECONDS);
    return;
  }
  if (chosen.length > 0) {
    const ids = chosen.map(({ id }) => id);
    await makeAllDue.run(tx, job.project_id, ids);
    await notifyDeliveries.run(tx);
  }
  const count = (outcome: Outcome) => found.filter((delivery) => delivery.outcome === outcome).length;
  const counts = [chosen.length, count('PENDING'), count('DISABLED'), count('DELETED')];
  await advanceBulkRetry.run(tx, job.id, found.at(-1)?.id ?? null, ...counts, chosen.length / DELIVERIES_PER_SECOND);
  if (found.length < BATCH_DELIVERIES) await completeBulkRetry.run(tx, job.id);
}
