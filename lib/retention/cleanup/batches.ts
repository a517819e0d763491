import { setTimeout as sleep } from 'node:timers/promises';
import { isMoveTarget } from '@/lib/platform/cells/cells';
import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { database, inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { JobRun, Preview, RowsByTable } from '@/lib/retention/jobs/job-run';
import { limitLockWaits } from './expired-sql';

const STATEMENT_TIMEOUT_MS = 30_000;
const MIN_BATCH_ROWS = 10;
const MAX_FAILURES_IN_A_ROW = 8;
const MAX_PAUSE_MS = 5_000;

/** `queryCanceled` is the statement timeout. */
const RETRIED_STATES: ReadonlySet<string> = new Set([
  SQL_STATE.queryCanceled,
  SQL_STATE.lockNotAvailable,
  SQL_STATE.deadlockDetected,
]);

/**
 * Removes up to `limit` rows of a table and counts them with `countBatchResult`.
 * @returns whether there may be more
 */
export type Batch = (tx: SqlTransaction, limit: number) => Promise<boolean>;

interface BatchOptions {
  statementTimeoutMs?: number;
  /** Also runs in a cell that an organization moves to: for rows that nothing refers to. */
  duringMoves?: boolean;
}

/**
 * Runs batches of the policy's size, each in a transaction, until one returns false or the run is told to stop. Pauses after
 * each batch for as long as it took, so that live work has the database at least half of the time. Retries a batch that
 * times out with half as many rows; the size grows back slowly. Runs none in a cell that an organization moves to
 * (docs/decisions/081-moves-between-cells.md).
 * @throws the error of a batch that failed eight times in a row, or for another reason than a timeout or a deadlock
 */
export async function runInBatches(
  run: JobRun,
  batch: Batch,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, duringMoves = false }: BatchOptions = {},
): Promise<void> {
  let limit = run.policy.batchSize;
  let failures = 0;
  while (!run.signal.aborted) {
    const startedAt = performance.now();
    try {
      const mayHaveMore = await inSqlTransaction(
        async (tx) => {
          await limitLockWaits.run(tx);
          if (!duringMoves && (await isMoveTarget(tx))) {
            log().info(
              { job: run.job, runId: run.id, cell: run.cell },
              'an organization is moving to the cell; no rows removed',
            );
            return false;
          }
          return batch(tx, limit);
        },
        { statementMs: statementTimeoutMs },
      );
      if (!mayHaveMore) return;
      failures = 0;
      limit = Math.min(run.policy.batchSize, Math.ceil(limit * 1.25));
    } catch (error) {
      failures += 1;
      if (!RETRIED_STATES.has(sqlState(error) ?? '') || failures >= MAX_FAILURES_IN_A_ROW) throw error;
      limit = Math.min(limit, Math.max(MIN_BATCH_ROWS, Math.floor(limit / 2)));
      log().warn(
        { job: run.job, runId: run.id, cell: run.cell, limit, sqlState: sqlState(error) },
        'batch rolled back; retrying with fewer rows',
      );
    }
    await pause(performance.now() - startedAt, run.signal);
  }
}

/** Returns what `runInBatches` would remove of the rows that are counted: none in a cell that an organization moves to. */
export async function previewBatches(count: () => Promise<RowsByTable>): Promise<Preview> {
  return (await isMoveTarget(database())) ? {} : { rows: await count() };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(ms, MAX_PAUSE_MS), undefined, { signal }).catch(() => undefined);
}
