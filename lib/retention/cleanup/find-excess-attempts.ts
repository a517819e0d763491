import type { SqlTransaction } from '@/lib/platform/db';
import type { CapStatements, ExcessAttempt, ExcessiveDelivery } from './cap-attempts-sql';

/** A delivery with more attempts than the cap, and how many of them to remove. */
export interface Candidate extends ExcessiveDelivery {
  /** It has more than that. */
  isCut: boolean;
}

/** Takes the first candidates, with `limit` attempts to remove in total. One delivery may have more than a batch. */
export function limitCandidates(limit: number, found: readonly ExcessiveDelivery[]): Candidate[] {
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
  { cap, rankExcess, findExcessOfOne }: CapStatements,
  candidates: readonly Candidate[],
): Promise<ExcessAttempt[]> {
  const complete = new Map(candidates.flatMap(({ id, excess, isCut }) => (isCut ? [] : [[id, excess]])));
  const cut = candidates.find(({ isCut }) => isCut);
  // Math.max of all would overflow the stack for batches not much larger than the largest one.
  const most = candidates.reduce((highest, { excess, isCut }) => (isCut ? highest : Math.max(highest, excess)), 0);
  const ranked = await rankExcess.all(tx, [...complete.keys()], cap + most);
  const attempts = ranked.filter(({ delivery_id, rank }) => rank <= cap + (complete.get(delivery_id) ?? 0));
  if (cut === undefined) return attempts;
  return [...attempts, ...(await findExcessOfOne.all(tx, cut.id, cut.excess))];
}
