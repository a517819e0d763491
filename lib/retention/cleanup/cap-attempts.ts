import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { type SqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { type CleanupStep, countBatchResult, type JobRun } from '@/lib/retention/jobs/job-run';
import { previewBatches, runInBatches } from './batches';
import {
  type CapStatements,
  countStored,
  type ExcessAttempt,
  type ExcessiveDelivery,
  lockDeliveries,
  lowerCounts,
  makeCapStatements,
  preferIndexLookups,
  removeByKey,
  setCounts,
} from './cap-attempts-sql';

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
  name: 'attempts beyond the cap',
  async clean(run) {
    const skipped = new Set<string>();
    const statements = makeCapStatements(run.policy.maxAttemptsPerDelivery);
    await runInBatches(run, (tx, limit) =>
      capBatch({ tx, run, statements, limit: Math.min(limit, MAX_ATTEMPTS) }, skipped),
    );
  },

  preview: ({ policy: { maxAttemptsPerDelivery: cap } }) =>
    previewBatches(async () => {
      const { excess } = await makeCapStatements(cap).countExcess.one(sqlWithTimeout(LONG_STATEMENT_MS));
      return { delivery_attempts: Number(excess) };
    }),
};

interface CapBatch {
  tx: SqlTransaction;
  run: JobRun;
  statements: CapStatements;
  /** The most attempts that it removes. */
  limit: number;
}

/** @param skipped deliveries whose organization has moved, and locked ones, which the next run caps */
async function capBatch({ tx, run, statements, limit }: CapBatch, skipped: Set<string>): Promise<boolean> {
  const found = await statements.findCandidates.all(tx, { skipped: [...skipped], limit });
  if (found.length === 0) return false;
  await preferIndexLookups(tx);
  const candidates = takeFitting(found, limit);
  const ids = candidates.map(({ id }) => id);
  const attempts = await findExcessAttempts(tx, statements, candidates, limit);
  const lockedRows = await lockDeliveries.all(tx, { deliveries: ids });
  const locked = new Set(lockedRows.map(({ id }) => id));
  const removed = await removeAttempts(
    tx,
    attempts.filter((attempt) => locked.has(attempt.delivery_id)),
  );
  const corrected = await correctCounts(tx, locked, removed);
  for (const id of ids) if (!corrected.has(id)) skipped.add(id);
  await countBatchResult(tx, run, {
    rows: { delivery_attempts: [...removed.values()].reduce((sum, count) => sum + count, 0) },
  });
  return true;
}

/** Takes the first deliveries, at least one, whose excess attempts fit into the limit together. */
function takeFitting(found: readonly ExcessiveDelivery[], limit: number): ExcessiveDelivery[] {
  const taken: ExcessiveDelivery[] = [];
  let sum = 0;
  for (const candidate of found) {
    sum += candidate.excess;
    if (sum > limit && taken.length > 0) break;
    taken.push(candidate);
  }
  return taken;
}

/** Finds the attempts of these deliveries that are to be removed, at most `limit`. */
async function findExcessAttempts(
  tx: SqlTransaction,
  { cap, rankExcess, findExcessOfOne }: CapStatements,
  candidates: readonly ExcessiveDelivery[],
  limit: number,
): Promise<ExcessAttempt[]> {
  const excess = new Map(candidates.map((candidate) => [candidate.id, candidate.excess]));
  const most = Math.max(...excess.values());
  const [first] = candidates;
  if (first !== undefined && most > limit) return findExcessOfOne.all(tx, { delivery: first.id, limit });
  const ranked = await rankExcess.all(tx, { deliveries: [...excess.keys()], maxRank: cap + most });
  return ranked.filter(({ delivery_id, rank }) => rank <= cap + (excess.get(delivery_id) ?? 0));
}

/** Removes attempts by their keys. @returns the number of removed attempts by delivery */
async function removeAttempts(tx: SqlTransaction, attempts: readonly ExcessAttempt[]): Promise<Map<string, number>> {
  if (attempts.length === 0) return new Map();
  const rows = await removeByKey.all(tx, {
    deliveries: attempts.map(({ delivery_id }) => delivery_id),
    numbers: attempts.map(({ attempt_number }) => attempt_number),
    succeeded: attempts.map(({ succeeded }) => succeeded),
    times: attempts.map(({ created_at }) => created_at),
  });
  return countByDelivery(rows);
}

function countByDelivery(rows: readonly { delivery_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { delivery_id } of rows) counts.set(delivery_id, (counts.get(delivery_id) ?? 0) + 1);
  return counts;
}

/**
 * Lowers the counts of locked deliveries by what was removed. A delivery without excess attempts had too high a count, because
 * dropping a partition does not lower it: its attempts are counted again.
 * @returns the deliveries that it has changed: not those of an organization that has moved, which a trigger leaves as they are
 */
async function correctCounts(
  tx: SqlTransaction,
  locked: Set<string>,
  removed: Map<string, number>,
): Promise<Set<string>> {
  const lowered = await lowerCounts.all(tx, { deliveries: [...removed.keys()], removed: [...removed.values()] });
  const counted = await recount(
    tx,
    [...locked].filter((id) => !removed.has(id)),
  );
  return new Set([...lowered, ...counted].map(({ id }) => id));
}

async function recount(tx: SqlTransaction, ids: readonly string[]): Promise<{ id: string }[]> {
  if (ids.length === 0) return [];
  const counted = await countStored.all(tx, { deliveries: ids });
  const stored = new Map(counted.map((row) => [row.delivery_id, row.stored]));
  // The counts are still right: no attempt is added while the deliveries are locked.
  return setCounts.all(tx, { deliveries: ids, stored: ids.map((id) => stored.get(id) ?? 0) });
}
