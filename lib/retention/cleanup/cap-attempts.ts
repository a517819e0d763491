import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { type CleanupStep, countBatchResult, type JobRun, type Preview } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';
import { correctCounts } from './correct-counts';
import { type Candidate, candidatesSql, findExcessAttempts, limitCandidates } from './find-excess-attempts';
import { readRows } from './read-rows';
import { removeAttempts } from './remove-attempts';

/*
 * Several statements: for a single one the planner reads the entire table of attempts to join it, which takes seconds
 * instead of milliseconds. The excess is found before anything is locked, because that takes longest. A worker may add newer
 * attempts meanwhile, which does not change the excess; it waits only for the removal.
 */

/*
 * The planner does not know that each key leads to one partition. It adds up the look-ups in all of them, and so would read
 * entire partitions or compile the statement.
 */
const PLANNER_SETTINGS = `SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off; SET LOCAL jit = off`;

const LOCK_SQL = 'SELECT id FROM deliveries WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED';

/**
 * Attempts that one batch removes, whatever DATA_RETENTION_BATCH_SIZE is. Their keys are objects in memory: for 100,000 the
 * process needed 250 MB, twice as much as for these.
 */
const MOST_ATTEMPTS = 2_000;

/**
 * Removes attempts beyond DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY, the oldest first (docs/specification.md#retention). The
 * cost grows with the excess, not with the table. Changes nothing else of a delivery: attempt_count and schedule stay.
 */
export const capAttempts: CleanupStep = {
  async clean(run) {
    const held = new Set<string>();
    await runInBatches(run, (tx, limit) => capBatch(tx, run, Math.min(limit, MOST_ATTEMPTS), held));
  },

  async preview({ policy: { maxAttemptsPerDelivery: cap } }): Promise<Preview> {
    const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query<{ excess: string }>(
      `SELECT coalesce(sum(greatest(a.count - ${cap}, 0)), 0) AS excess
       FROM deliveries d, LATERAL (SELECT count(*) FROM delivery_attempts WHERE delivery_id = d.id) a
       WHERE d.stored_attempts > ${cap}`,
    );
    return { rows: { delivery_attempts: Number(rows[0]?.excess ?? 0) } };
  },
};

/** @param held deliveries that somebody held; they are left to the next run */
async function capBatch(tx: SqlTransaction, run: JobRun, limit: number, held: Set<string>): Promise<boolean> {
  const cap = run.policy.maxAttemptsPerDelivery;
  const found = await tx.query<Omit<Candidate, 'isCut'>>(candidatesSql(cap), [limit, [...held]]);
  if (found.rows.length === 0) return false;
  await tx.query(PLANNER_SETTINGS);
  const candidates = limitCandidates(limit, found.rows);
  const ids = candidates.map(({ id }) => id);
  const attempts = await findExcessAttempts(tx, cap, candidates);
  const lockedRows = await readRows<{ id: string }>(tx, { name: 'retention-cap-lock', text: LOCK_SQL, values: [ids] });
  const locked = new Set(lockedRows.map(({ id }) => id));
  for (const id of ids) if (!locked.has(id)) held.add(id);
  const removed = await removeAttempts(
    tx,
    attempts.filter((attempt) => locked.has(attempt.delivery_id)),
  );
  await correctCounts(tx, locked, removed);
  await countBatchResult(tx, run, {
    rows: { delivery_attempts: [...removed.values()].reduce((sum, count) => sum + count, 0) },
  });
  return true;
}
