import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout, type Transaction } from '@/lib/platform/db';
import { type CleanupStep, countDone, type JobRun, type Preview } from '@/lib/retention/jobs/job-run';
import { runInBatches } from './batches';

/*
 * Several statements and not one, in which the planner reads the whole table of attempts to join it: seconds instead of
 * milliseconds. What is beyond the newest is found before anything is locked, since that takes the longest, and stays so
 * whatever a worker adds meanwhile; a worker then waits only for the removal.
 */

/**
 * Deliveries that may hold more than the cap, up to a batch of them. The cap is a literal, since the planner can prove
 * `stored_attempts > 1`, the condition of the index, only of a literal; and ordered as the index is, since statistics from
 * before the last batch would have it read the whole table.
 */
export const candidatesSql = (cap: number) => `
  SELECT id, stored_attempts - ${cap} AS excess FROM deliveries
  WHERE stored_attempts > ${cap} AND id <> ALL($2::uuid[]) ORDER BY stored_attempts LIMIT $1`;

const NEWEST_FIRST = 'attempt_number DESC, delivery_attempts.created_at DESC, id DESC';

/**
 * The attempts beyond the newest, up to the place $2. Of all deliveries together, for a partition holds those of a few days:
 * it is asked for the few keys between its first and its last then, not for each of them. Times as text, none is rounded.
 */
const victimsSql = (cap: number) => `
  SELECT delivery_id, attempt_number, succeeded, created_at::text, place::int FROM (
    SELECT delivery_id, attempt_number, succeeded, created_at,
           row_number() OVER (PARTITION BY delivery_id ORDER BY ${NEWEST_FIRST}) AS place
    FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))) AS numbered
  WHERE place > ${cap} AND place <= $2`;

/** The same of one delivery that has more than a batch may remove: what is beyond that is not read. */
const victimsOfOneSql = (cap: number) => `
  SELECT delivery_id, attempt_number, succeeded, created_at::text FROM delivery_attempts
  WHERE delivery_id = $1 ORDER BY ${NEWEST_FIRST} OFFSET ${cap} LIMIT $2`;

/*
 * The planner does not know that the keys lead to one partition each: it adds up the look-ups in all of them and would
 * rather read them whole, or compile the statement first.
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
 * In one pass over the partitions for all deliveries together: a subquery for each would look into some hundred. Nobody adds
 * to a delivery between the two statements, since it is locked.
 */
const COUNT_SQL = `
  SELECT delivery_id, count(*)::int AS stored FROM delivery_attempts
  WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[]))) GROUP BY delivery_id`;
const SET_COUNT_SQL = `
  UPDATE deliveries d SET stored_attempts = c.stored
  FROM unnest($1::uuid[], $2::int[]) AS c(id, stored) WHERE d.id = c.id`;

/**
 * Attempts that one batch removes, however large batches may be. It has the key of each in its memory, unlike those of events,
 * which hand on ids as one string: with 100,000 of them the process took 250 MB, twice as much as with these.
 */
const MOST_ATTEMPTS = 2_000;

interface Candidate {
  id: string;
  /** Attempts to remove. */
  excess: number;
  /** Whether it has more than that. */
  isCut: boolean;
}

interface Victim {
  delivery_id: string;
  attempt_number: number;
  succeeded: boolean;
  created_at: string;
}

/**
 * Keeps the newest attempts of each delivery, as many as the policy says, whatever their age (SPEC 8.1 rule 2). Its cost
 * grows with the excess, not with the table. What a delivery knows of its course (attempt_count, schedule) stays.
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

/** @param held deliveries that others were writing, which are left to the next run */
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
  const whole = new Map(candidates.flatMap(({ id, excess, isCut }) => (isCut ? [] : [[id, excess]])));
  const cut = candidates.find(({ isCut }) => isCut);
  // Not Math.max of all, which the stack bears for little more than the largest batch.
  const most = candidates.reduce((sofar, { excess, isCut }) => (isCut ? sofar : Math.max(sofar, excess)), 0);
  const placed = await ask<Victim & { place: number }>(tx, `victims-${cap}`, victimsSql(cap), [
    [...whole.keys()],
    cap + most,
  ]);
  const victims = placed.filter(({ delivery_id, place }) => place <= cap + (whole.get(delivery_id) ?? 0));
  if (cut === undefined) return victims;
  return [...victims, ...(await ask<Victim>(tx, `victims-of-one-${cap}`, victimsOfOneSql(cap), [cut.id, cut.excess]))];
}

/** Planned once and not for each batch: over some hundred partitions that takes as long as a batch itself. */
async function ask<Row extends object>(tx: Transaction, name: string, text: string, values: unknown[]): Promise<Row[]> {
  return (await tx.query<Row>({ name: `retention-cap-${name}`, text, values })).rows;
}

/** The first candidates, with `limit` attempts to remove together at most: one delivery may hold more than a batch. */
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

/** Of a delivery that had nothing to remove the count was too high: its attempts had left with their partitions. */
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
