import type { Transaction } from '@/lib/platform/db';
import { countDone, type JobRun } from '@/lib/retention/jobs/job-run';
import { ANY_TIME, deleteAttempts } from './delete-attempts';
import type { Origin, Place } from './origin-sql';

interface Delivery {
  id: string;
  stored_attempts: number;
}

/** Some of an event's deliveries; none when somebody holds any of them, for then all of it stays. */
const freeDeliveriesSql = (column: Origin['column']) => `
  WITH free AS MATERIALIZED (
    SELECT id, stored_attempts FROM deliveries WHERE ${column} = $1 AND status <> 'PENDING' FOR UPDATE SKIP LOCKED)
  SELECT * FROM free
  WHERE (SELECT count(*) FROM free) = (SELECT count(*) FROM deliveries WHERE ${column} = $1) LIMIT $2`;

/** The lowest numbers go first, as many as a batch may remove. */
const THIN_ATTEMPTS_SQL = `
  DELETE FROM delivery_attempts WHERE delivery_id = $1 AND attempt_number <= (
    SELECT max(attempt_number) FROM (
      SELECT attempt_number FROM delivery_attempts WHERE delivery_id = $1 ORDER BY attempt_number LIMIT $2) AS lowest)`;

/**
 * Removes a batch of what hangs on an event that is to leave and has more than that: its deliveries, or the attempts of
 * one of them. A run goes on with it until what is left fits into one batch; should the run be broken off before, the
 * event has still expired, and the next one goes on.
 *
 * @returns where the run is to go on from when somebody holds a part of it; null to go on with it
 */
export async function thinOut(
  tx: Transaction,
  run: JobRun,
  { table, column }: Origin,
  id: string,
  limit: number,
): Promise<Place | null> {
  const { rows } = await tx.query<Delivery>(freeDeliveriesSql(column), [id, limit]);
  const [first] = rows;
  if (first === undefined) return placeOf(tx, table, id);
  if (first.stored_attempts > limit) await thinAttempts(tx, run, first, limit);
  else await removeDeliveries(tx, run, takeUpTo(limit, rows));
  return null;
}

async function thinAttempts(tx: Transaction, run: JobRun, delivery: Delivery, limit: number): Promise<void> {
  const removed = (await tx.query(THIN_ATTEMPTS_SQL, [delivery.id, limit])).rowCount ?? 0;
  // The count may be too high, since attempts leave with their partitions: fewer than a batch were the last.
  const left = removed < limit ? 0 : Math.max(delivery.stored_attempts - removed, 0);
  await tx.query('UPDATE deliveries SET stored_attempts = $2 WHERE id = $1', [delivery.id, left]);
  await countDone(tx, run, { rows: { delivery_attempts: removed } });
}

/** The first deliveries that have no more than `limit` attempts together. */
function takeUpTo(limit: number, deliveries: readonly Delivery[]): string[] {
  let attempts = 0;
  const end = deliveries.findIndex(({ stored_attempts }) => {
    attempts += stored_attempts;
    return attempts > limit;
  });
  return (end === -1 ? deliveries : deliveries.slice(0, end)).map(({ id }) => id);
}

async function removeDeliveries(tx: Transaction, run: JobRun, ids: string[]): Promise<void> {
  const { rowCount } = await tx.query('DELETE FROM deliveries WHERE id = ANY($1::uuid[])', [ids]);
  // No more than a batch of them together: takeUpTo has seen to it.
  const attempts = await deleteAttempts(tx, { ids, storedAttempts: [], window: ANY_TIME }, ids.length);
  await countDone(tx, run, { rows: { deliveries: rowCount ?? 0, delivery_attempts: attempts } });
}

async function placeOf(tx: Transaction, table: Origin['table'], id: string): Promise<Place | null> {
  const { rows } = await tx.query<Place>(`SELECT created_at::text AS time, id FROM ${table} WHERE id = $1`, [id]);
  return rows[0] ?? null;
}
