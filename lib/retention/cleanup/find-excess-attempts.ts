import type { SqlTransaction } from '@/lib/platform/db';
import { readRows } from './read-rows';

/** A delivery with more attempts than the cap. */
export interface Candidate {
  id: string;
  /** Attempts to remove. */
  excess: number;
  /** It has more than that. */
  isCut: boolean;
}

/** The key of an attempt to remove. */
export interface ExcessAttempt {
  delivery_id: string;
  attempt_number: number;
  succeeded: boolean;
  created_at: string;
}

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
 * days, so it is read for a range of keys and not once per delivery. Times are text, so that they are not rounded.
 */
const excessSql = (cap: number) => `
  SELECT delivery_id, attempt_number, succeeded, created_at::text, rank::int FROM (
    SELECT delivery_id, attempt_number, succeeded, created_at,
           row_number() OVER (PARTITION BY delivery_id ORDER BY ${NEWEST_FIRST}) AS rank
    FROM delivery_attempts WHERE delivery_id = ANY(ARRAY(SELECT unnest($1::uuid[])))) AS numbered
  WHERE rank > ${cap} AND rank <= $2`;

/** The same for one delivery that has more than a batch removes: reads only one batch. */
const excessOfOneSql = (cap: number) => `
  SELECT delivery_id, attempt_number, succeeded, created_at::text FROM delivery_attempts
  WHERE delivery_id = $1 ORDER BY ${NEWEST_FIRST} OFFSET ${cap} LIMIT $2`;

/** Takes the first candidates, with `limit` attempts to remove in total. One delivery may have more than a batch. */
export function limitCandidates(limit: number, found: readonly Omit<Candidate, 'isCut'>[]): Candidate[] {
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

/** Finds the attempts to remove of these deliveries. */
export async function findExcessAttempts(
  tx: SqlTransaction,
  cap: number,
  candidates: readonly Candidate[],
): Promise<ExcessAttempt[]> {
  const complete = new Map(candidates.flatMap(({ id, excess, isCut }) => (isCut ? [] : [[id, excess]])));
  const cut = candidates.find(({ isCut }) => isCut);
  // Math.max of all would overflow the stack for batches not much larger than the largest one.
  const most = candidates.reduce((highest, { excess, isCut }) => (isCut ? highest : Math.max(highest, excess)), 0);
  const ranked = await readRows<ExcessAttempt & { rank: number }>(tx, {
    name: `retention-cap-excess-${cap}`,
    text: excessSql(cap),
    values: [[...complete.keys()], cap + most],
  });
  const attempts = ranked.filter(({ delivery_id, rank }) => rank <= cap + (complete.get(delivery_id) ?? 0));
  if (cut === undefined) return attempts;
  const cutAttempts = await readRows<ExcessAttempt>(tx, {
    name: `retention-cap-excess-of-one-${cap}`,
    text: excessOfOneSql(cap),
    values: [cut.id, cut.excess],
  });
  return [...attempts, ...cutAttempts];
}
