import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, LOCK_NOT_AVAILABLE, sqlState, type Transaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { JobRun } from '@/lib/retention/jobs/job-run';

const STATEMENT_TIMEOUT_MS = 30_000;
/** Nobody waits long for a batch, nor it for anybody: PostgreSQL would look for a deadlock after a second. */
export const LOCK_TIMEOUT_MS = 500;
const MIN_BATCH_ROWS = 10;
const MAX_FAILURES_IN_A_ROW = 8;
const MAX_PAUSE_MS = 5_000;

/** With query_canceled (the statement timeout) and deadlock_detected. */
const TRY_SMALLER = new Set(['57014', LOCK_NOT_AVAILABLE, '40P01']);

/** Thrown by a batch that has removed more than it may. It is rolled back and tried again, as after a timeout. */
export class BatchTooLarge extends Error {}
/** Thrown by a batch that cannot have a row it is to remove; others it may be able to have. It is tried again too. */
export class BatchHeld extends Error {}

/**
 * Removes up to `limit` rows of a table, and counts them (`countDone`).
 * @param failures how many times in a row it was rolled back just before: what stands in its way can be passed over then
 * @returns whether there may be more
 */
export type Batch = (tx: Transaction, limit: number, failures: number) => Promise<boolean>;

/**
 * Runs batches of the policy's size until there is nothing more to do or the run is told to stop. After each it pauses for
 * as long as the batch took, so that live work always has the database at least half of the time. A batch that times out
 * is tried again with half as many rows; the size grows back slowly.
 */
export async function runInBatches(
  run: JobRun,
  batch: Batch,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = {},
): Promise<void> {
  let [limit, failures] = [run.policy.batchSize, 0];
  while (!run.signal.aborted) {
    const startedAt = performance.now();
    try {
      const mayHaveMore = await inTransaction(
        async (tx) => {
          await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
          return batch(tx, limit, failures);
        },
        { statementMs: statementTimeoutMs },
      );
      if (!mayHaveMore) return;
      failures = 0;
      limit = Math.min(run.policy.batchSize, Math.ceil(limit * 1.25));
    } catch (error) {
      failures += 1;
      if (!mayTryAgain(error) || failures >= MAX_FAILURES_IN_A_ROW) throw error;
      limit = Math.min(limit, Math.max(MIN_BATCH_ROWS, Math.floor(limit / 2)));
      log().warn(
        { job: run.job, limit, reason: sqlState(error) ?? `${error}` },
        'a batch was rolled back; trying a smaller one',
      );
    }
    await pause(performance.now() - startedAt, run.signal);
  }
}

const mayTryAgain = (error: unknown) =>
  error instanceof BatchTooLarge || error instanceof BatchHeld || TRY_SMALLER.has(sqlState(error) ?? '');

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(ms, MAX_PAUSE_MS), undefined, { signal }).catch(() => undefined);
}
