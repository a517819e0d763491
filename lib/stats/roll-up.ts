import { inSqlTransaction, isCellElsewhere, type Sql } from '@/lib/platform/db';
import { rollUpBatches, rollUpBatchesUnlocked, tryRollUpLock } from './stats-sql';
import { BUCKET_BOUNDS_MS } from './sum-stats';

/** What one statement takes: it must end well before the timeout of statements, else it would never get further. */
const BATCHES = 1_000;
const RESULTS = 5_000;

/**
 * Adds what was recorded since the last run to the statistics. One worker at a time; the others return at once
 * (docs/decisions/042-stats-are-rolled-up-from-a-queue.md).
 * @returns whether more is waiting
 */
export async function rollUpStats(): Promise<boolean> {
  return (await inSqlTransaction(rollUpBatch)) === true;
}

/** Adds some of it within a transaction. @returns whether more is waiting; null while another one adds */
export async function rollUpBatch(tx: Sql): Promise<boolean | null> {
  if (!(await tryRollUpLock.one(tx)).taken) return null;
  const statement = isCellElsewhere() ? rollUpBatchesUnlocked : rollUpBatches;
  const found = await statement.one(tx, { batches: BATCHES, bounds: BUCKET_BOUNDS_MS, results: RESULTS });
  const taken = found.taken ?? 0;
  const seen = found.seen ?? 0;
  return taken < seen || seen === BATCHES;
}
