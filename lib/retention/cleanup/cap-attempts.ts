import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { type CleanupStep, countBatchResult, type JobRun, type Preview } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';
import { type CapStatements, lockDeliveries, makeCapStatements, preferIndexLookups } from './cap-attempts-sql';
import { correctCounts } from './correct-counts';
import { findExcessAttempts, limitCandidates } from './find-excess-attempts';
import { removeAttempts } from './remove-attempts';

/*
 * Several statements: for a single one, the planner reads the entire table of attempts to join it, which takes seconds instead
 * of milliseconds. The excess is found before anything is locked, because that takes longest. If a worker adds attempts
 * meanwhile, the attempts found are still excess. It waits only for the removal.
 */

/**
 * The most attempts that one batch removes, whatever DATA_RETENTION_BATCH_SIZE is. Their keys are objects in memory: with
 * 100,000 the process needed 250 MB, twice as much as with 2,000.
 */
const MAX_ATTEMPTS = 2_000;

/**
 * Removes attempts beyond DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY, the oldest first (docs/specification.md#retention). The
 * cost grows with the excess, not with the table. Changes nothing else of a delivery: attempt_count and schedule stay.
 */
export const capAttempts: CleanupStep = {
  async clean(run) {
    const held = new Set<string>();
    const statements = makeCapStatements(run.policy.maxAttemptsPerDelivery);
    await runInBatches(run, (tx, limit) =>
      capBatch({ tx, run, statements, limit: Math.min(limit, MAX_ATTEMPTS) }, held),
    );
  },

  async preview({ policy: { maxAttemptsPerDelivery: cap } }): Promise<Preview> {
    const { excess } = await makeCapStatements(cap).countExcess.one(sqlWithTimeout(LONG_STATEMENT_MS));
    return { rows: { delivery_attempts: Number(excess) } };
  },
};

interface CapBatch {
  tx: SqlTransaction;
  run: JobRun;
  statements: CapStatements;
  /** The most attempts that it removes. */
  limit: number;
}

/** @param held deliveries that another transaction has locked; the next run caps them */
async function capBatch({ tx, run, statements, limit }: CapBatch, held: Set<string>): Promise<boolean> {
  const found = await statements.findCandidates.all(tx, limit, [...held]);
  if (found.length === 0) return false;
  await preferIndexLookups(tx);
  const candidates = limitCandidates(limit, found);
  const ids = candidates.map(({ id }) => id);
  const attempts = await findExcessAttempts(tx, statements, candidates);
  const lockedRows = await lockDeliveries.all(tx, ids);
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
