import pg from 'pg';
import { currentSearchPath } from './cells/current-cell';
import { isDatabaseUnreachable, isStatementCanceled, SQL_STATE, sqlState } from './database-errors';
import { database, inSqlTransaction, type Sql } from './db';
import { log } from './log';
import type { Column } from './sql/column';
import type { Statement } from './sql/statement';

/** A batch that is about to run. */
interface Try<Row> {
  job: Row;
  /** Locks the job in the transaction of the batch. @returns false when it has ended, or another worker has begun a later try */
  lock: (tx: Sql) => Promise<boolean>;
}

/** A kind of job that workers do in batches, such as replays. Its rows are jobs. */
export interface JobKind<Row extends { id: string; owner_id: string | null }> {
  /** What the log calls one. */
  noun: string;
  /**
   * Locks the running job that has waited longest, so that other workers skip it, of the owner whose turn it is: the next one by id
   * after this one.
   */
  lockDue: (tx: Sql, afterOwner: string | null) => Promise<Row | undefined>;
  /**
   * Notes in the transaction that has locked a job that a try begins, and when the next one is if this one never ends: its worker may be
   * killed by it. @returns null when the job has ended instead
   */
  beginTry: (tx: Sql, job: Row) => Promise<Try<Row> | null>;
  /** Whether a batch may store rows. Asked outside a transaction, as it may wait. */
  mayStore: (job: Row) => Promise<boolean>;
  /** Reschedules a job that may not, in the transaction that holds its lock. */
  postpone: (tx: Sql, job: Row) => Promise<unknown>;
  /** Does one batch and moves the cursor of the job, in the transaction that holds its lock. */
  doBatch: (tx: Sql, job: Row) => Promise<void>;
  /** Notes that a try of a job has failed, and when the next one is. `reason` is for people. */
  noteFailure: (tx: Sql, job: Row, reason: string) => Promise<unknown>;
  /** Selects the milliseconds, negative when overdue, until the next batch of any job of this kind. */
  selectNextDue: Statement<{ in_ms: Column<number | null> }, Record<never, never>>;
}

/** The owner who had the last turn of each kind and cell in this process. */
const lastOwners = new Map<string, string | null>();

/**
 * Does one batch of a job: owners take turns, and the job of an owner that has waited longest is next. A batch and its cursor are one
 * transaction, so a worker that dies repeats nothing. Several workers may run it at once. A job whose batch fails waits, so that those of
 * others come first. Each try is noted before it begins, so one that ends its worker or its connection waits too.
 * @returns the milliseconds until a job of this kind needs its next batch; null when none is running
 */
export async function continueJob<Row extends { id: string; owner_id: string | null }>(
  kind: JobKind<Row>,
): Promise<number | null> {
  const turn = `${kind.noun} ${currentSearchPath()}`;
  const begun = await inSqlTransaction(async (tx) => {
    const job = await kind.lockDue(tx, lastOwners.get(turn) ?? null);
    if (job === undefined) return null;
    lastOwners.set(turn, job.owner_id);
    return kind.beginTry(tx, job);
  });
  if (begun !== null) await finishTry(kind, begun);
  const { in_ms } = await kind.selectNextDue.one(database());
  // Not in SQL, where greatest(0, NULL) is 0: workers without a job would ask again at once.
  return in_ms === null ? null : Math.max(0, in_ms);
}

async function finishTry<Row extends { id: string; owner_id: string | null }>(
  kind: JobKind<Row>,
  { job, lock }: Try<Row>,
): Promise<void> {
  try {
    const next = (await kind.mayStore(job)) ? kind.doBatch : kind.postpone;
    await inSqlTransaction(async (tx) => {
      if (await lock(tx)) await next(tx, job);
    });
  } catch (error) {
    log().warn({ err: error, jobId: job.id }, `${kind.noun} could not continue; trying again later`);
    // Without its connection, the try has not ended: the next one counts it.
    if (!isLost(error)) await inSqlTransaction((tx) => kind.noteFailure(tx, job, reasonOf(error)));
  }
}

/** What a batch itself may cause, by reading too much or by a pause that is too long, though a server that is in trouble does too. */
const OWN_DOING: readonly (string | undefined)[] = [SQL_STATE.outOfMemory, SQL_STATE.idleInTransaction];

/** Whether the database was lost during a batch, by a restart for example. */
const isLost = (error: unknown) => isDatabaseUnreachable(error) && !OWN_DOING.includes(sqlState(error));

/** Says why a batch failed. The message of an error may hold SQL and what rows contain; it is in the log. */
function reasonOf(error: unknown): string {
  if (isStatementCanceled(error) || OWN_DOING.includes(sqlState(error))) return 'The database took too long.';
  return error instanceof pg.DatabaseError ? 'The database refused a change.' : 'An internal error occurred.';
}
