import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout, type Transaction } from '@/lib/platform/db';
import { type CleanupStep, countDone, type JobRun, type Preview } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';

/*
 * Several statements: for a single one the planner reads the entire table of attempts to join it, which takes seconds
 * instead of milliseconds. The excess is found before anything is locked, because that takes longest. A worker may add newer
 * attempts meanwhile, which does not change the excess; it waits only for the removal.
 */

/**
 * Returns SQL for a batch of deliveries that may have more attempts than the cap. The cap is a literal: only for a literal can
 * the planner prove `stored_attempts > 1`, the condition of the index. The order is that of the index: with statistics from
 * before the last batch the planner would otherwise read the entire table.
 */
export const candidatesSql = (cap: number) => `
  SELECT id, stored_attempts - ${cap} AS excess FROM deliveries
  WHERE stored_attempts > ${cap} AND id <> ALL($2::uuid[]) ORDER BY stored_attempts LIMIT $1`;

const NEWEST_FIRST = 'attempt_number DESC, delivery_attempts.created_at DESC, id DESC';

/**
 * The attempts after the newest, up to rank $2. One statement for all deliveries: each partition contains attempts of a few
 * days, so it is read for a range of keys and not once per delivery. Times are text, so that none is rounded.
 */
const victimsSql = (cap: number) => `
  SELECT delivery_id, attempt_number, succeeded, created_at::text, rank::int FROM (
    SELECT delivery_id, attempt_number, succeeded, created_at,
           row_number() OVER (PARTITION BY delivery_id ORDER BY ${NEWEST_FIRST}) AS rank
    FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))) AS numbered
  WHERE rank > ${cap} AND rank <= $2`;

/** The same for one delivery that has more than a batch removes: reads only one batch. */
const victimsOfOneSql = (cap: number) => `
  SELECT delivery_id, attempt_number, succeeded, created_at::text FROM delivery_attempts
  WHERE delivery_id = $1 ORDER BY ${NEWEST_FIRST} OFFSET ${cap} LIMIT $2`;

/*
 * The planner does not know that each key leads to one partition. It adds up the look-ups in all of them, and so would read
 * entire partitions or compile the statement.
 */
const PLANNER_SETTINGS = `SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off; SET LOCAL jit = off`;

const LOCK_SQL = 'SELECT id FROM deliveries WHERE id = ANY($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED';

const REMOVE_SQL = `
  DELETE FROM delivery_attempts a
  USING unnest($1::uuid[], $2::int[], $3::boolean[], $4::timestamptz[]) AS v(delivery_id, attempt_number, succeeded, created_at)
  WHERE a.delivery_id = v.delivery_id AND a.attempt_number = v.attempt_number AND a.succeeded = v.succeeded
    AND a.created_at = v.created_at
  RETURNING a.delivery_id`;

const SUBTRACT_SQL = `
  UPDATE deliveries d SET stored_attempts = d.stored_attempts - c.removed
  FROM unnest($1::uuid[], $2::int[]) AS c(id, removed) WHERE d.id = c.id`;

/*
 * One pass over the partitions for all deliveries: a subquery per delivery would search some hundred. Nobody adds an attempt
 * between the two statements, since the delivery is locked.
 */
const COUNT_SQL = `
  SELECT delivery_id, count(*)::int AS stored FROM delivery_attempts
  WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) GROUP BY delivery_id`;
const SET_COUNT_SQL = `
  UPDATE deliveries d SET stored_attempts = c.stored
  FROM unnest($1::uuid[], $2::int[]) AS c(id, stored) WHERE d.id = c.id`;

/**
 * Attempts that one batch removes, whatever DATA_RETENTION_BATCH_SIZE is. Their keys are objects in memory: for 100,000 the
 * process needed 250 MB, twice as much as for these.
 */
const MOST_ATTEMPTS = 2_000;

interface Candidate {
  id: string;
  /** Attempts to remove. */
  excess: number;
  /** It has more than that. */
  isCut: boolean;
}

interface Victim {
  delivery_id: string;
  attempt_number: number;
  succeeded: boolean;
  created_at: string;
}

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
async function capBatch(tx: Transaction, run: JobRun, limit: number, held: Set<string>): Promise<boolean> {
  const cap = run.policy.maxAttemptsPerDelivery;
  const found = await tx.query<Omit<Candidate, 'isCut'>>(candidatesSql(cap), [limit, [...held]]);
  if (found.rows.length === 0) return false;
  await tx.query(PLANNER_SETTINGS);
  const candidates = takeUpTo(limit, found.rows);
  const ids = candidates.map(({ id }) => id);
  const victims = await findVictims(tx, cap, candidates);
  const locked = new Set((await ask<{ id: string }>(tx, 'lock', LOCK_SQL, [ids])).map(({ id }) => id));
  for (const id of ids) if (!locked.has(id)) held.add(id);
  const removed = await removeAttempts(
    tx,
    victims.filter((victim) => locked.has(victim.delivery_id)),
  );
  await correctCounts(tx, locked, removed);
  await countDone(tx, run, {
    rows: { delivery_attempts: [...removed.values()].reduce((sum, count) => sum + count, 0) },
  });
  return true;
}

async function findVictims(tx: Transaction, cap: number, candidates: readonly Candidate[]): Promise<Victim[]> {
  const complete = new Map(candidates.flatMap(({ id, excess, isCut }) => (isCut ? [] : [[id, excess]])));
  const cut = candidates.find(({ isCut }) => isCut);
  // Math.max of all would overflow the stack for batches not much larger than the largest one.
  const most = candidates.reduce((highest, { excess, isCut }) => (isCut ? highest : Math.max(highest, excess)), 0);
  const ranked = await ask<Victim & { rank: number }>(tx, `victims-${cap}`, victimsSql(cap), [
    [...complete.keys()],
    cap + most,
  ]);
  const victims = ranked.filter(({ delivery_id, rank }) => rank <= cap + (complete.get(delivery_id) ?? 0));
  if (cut === undefined) return victims;
  return [...victims, ...(await ask<Victim>(tx, `victims-of-one-${cap}`, victimsOfOneSql(cap), [cut.id, cut.excess]))];
}

/** Prepared, because to plan over some hundred partitions takes as long as a batch. */
async function ask<Row extends object>(tx: Transaction, name: string, text: string, values: unknown[]): Promise<Row[]> {
  return (await tx.query<Row>({ name: `retention-cap-${name}`, text, values })).rows;
}

/** Takes the first candidates, with `limit` attempts to remove in total. One delivery may have more than a batch. */
function takeUpTo(limit: number, found: readonly Omit<Candidate, 'isCut'>[]): Candidate[] {
  let room = limit;
  const taken: Candidate[] = [];
  for (const candidate of found) {
    if (room === 0) break;
    const excess = Math.min(candidate.excess, room);
    taken.push({ id: candidate.id, excess, isCut: excess < candidate.excess });
    room -= excess;
  }
  return taken;
}

function countByDelivery(rows: readonly { delivery_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { delivery_id } of rows) counts.set(delivery_id, (counts.get(delivery_id) ?? 0) + 1);
  return counts;
}

/** @returns how many attempts each delivery has lost */
async function removeAttempts(tx: Transaction, victims: readonly Victim[]): Promise<Map<string, number>> {
  if (victims.length === 0) return new Map();
  const rows = await ask<{ delivery_id: string }>(tx, 'remove', REMOVE_SQL, [
    victims.map(({ delivery_id }) => delivery_id),
    victims.map(({ attempt_number }) => attempt_number),
    victims.map(({ succeeded }) => succeeded),
    victims.map(({ created_at }) => created_at),
  ]);
  return countByDelivery(rows);
}

/** A delivery without an excess had a count that was too high: its attempts were dropped with their partitions. */
async function correctCounts(tx: Transaction, locked: Set<string>, removed: Map<string, number>): Promise<void> {
  if (removed.size > 0) await ask(tx, 'subtract', SUBTRACT_SQL, [[...removed.keys()], [...removed.values()]]);
  const overstated = [...locked].filter((id) => !removed.has(id));
  if (overstated.length > 0) await recount(tx, overstated);
}

async function recount(tx: Transaction, ids: readonly string[]): Promise<void> {
  const counted = await ask<{ delivery_id: string; stored: number }>(tx, 'count', COUNT_SQL, [ids]);
  const stored = new Map(counted.map((row) => [row.delivery_id, row.stored]));
  await ask(tx, 'set-count', SET_COUNT_SQL, [ids, ids.map((id) => stored.get(id) ?? 0)]);
}
