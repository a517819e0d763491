import { isDatabaseUnreachable } from './database-errors';
import { database, inSqlTransaction, type Sql } from './db';
import { log } from './log';
import type { Column } from './sql/column';
import type { Statement } from './sql/statement';

/** Seconds until the next try after an error in one job. */
const FAULT_SECONDS = 10;

/** A kind of job that workers do in batches, such as replays. Its rows are jobs. */
export interface JobKind<Row extends { id: string; owner_id: string | null }> {
  /** What the log calls one. */
  noun: string;
  /**
   * Locks the running job that has waited longest, so that other workers skip it, of the owner whose turn it is: the next one by id
   * after this one.
   */
  lockDue: (tx: Sql, afterOwner: string | null) => Promise<Row | undefined>;
  /** Does one batch and moves the cursor of the job, in the transaction that holds its lock. */
  doBatch: (tx: Sql, job: Row) => Promise<void>;
  /** Repeats the batch of a job later. */
  reschedule: Statement<Record<never, never>, { job: Column<string>; seconds: Column<number> }>;
  /** Selects the milliseconds, negative when overdue, until the next batch of any job of this kind. */
  selectNextDue: Statement<{ in_ms: Column<number | null> }, Record<never, never>>;
}

/** The owner who had the last turn of each kind in this process. */
const lastOwners = new Map<string, string | null>();

/**
 * Does one batch of a job: owners take turns, and the job of an owner that has waited longest is next. A batch and its cursor are one transaction, so a worker that dies repeats
 * nothing. Several workers may run it at once.
 * @returns the milliseconds until a job of this kind needs its next batch; null when none is running
 */
export async function continueJob<Row extends { id: string; owner_id: string | null }>(
  kind: JobKind<Row>,
): Promise<number | null> {
  let jobId: string | null = null;
  try {
    await inSqlTransaction(async (tx) => {
      const job = await kind.lockDue(tx, lastOwners.get(kind.noun) ?? null);
      if (job === undefined) return;
      jobId = job.id;
      lastOwners.set(kind.noun, job.owner_id);
      await kind.doBatch(tx, job);
    });
  } catch (error) {
    if (jobId === null || isDatabaseUnreachable(error)) throw error;
    log().warn({ err: error, jobId }, `${kind.noun} could not continue; trying again in ${FAULT_SECONDS} s`);
    await kind.reschedule.run(database(), { job: jobId, seconds: FAULT_SECONDS });
  }
  const { in_ms } = await kind.selectNextDue.one(database());
  // Not in SQL, where greatest(0, NULL) is 0: workers without a job would ask again at once.
  return in_ms === null ? null : Math.max(0, in_ms);
}
