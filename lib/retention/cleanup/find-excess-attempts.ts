import type { SqlTransaction } from '@/lib/platform/db';
import type { CapStatements, ExcessAttempt, ExcessiveDelivery } from './cap-attempts-sql';

/** A delivery with more attempts than the cap, and how many of them to remove. */
export interface Candidate extends ExcessiveDelivery {
  /** Whether it has more excess attempts than `excess`. */
  isTruncated: boolean;
}

/** Takes the first candidates, with at most `limit` attempts to remove in total. Cuts the last one to fit. */
export function limitCandidates(limit: number, found: readonly ExcessiveDelivery[]): Candidate[] {
  let room = limit;
  const taken: Candidate[] = [];
  for (const candidate of found) {
    if (room === 0) break;
    const excess = Math.min(candidate.excess, room);
    taken.push({ id: candidate.id, excess, isTruncated: excess < candidate.excess });
    room -= excess;
  }
  return taken;
}

/** Finds the attempts of these deliveries that are to be removed. */
export async function findExcessAttempts(
  tx: SqlTransaction,
  { cap, rankExcess, findExcessOfOne }: CapStatements,
  candidates: readonly Candidate[],
): Promise<ExcessAttempt[]> {
  const complete = new Map(candidates.flatMap(({ id, excess, isTruncated }) => (isTruncated ? [] : [[id, excess]])));
  const cut = candidates.find(({ isTruncated }) => isTruncated);
  // Math.max(...) of large batches could overflow the stack.
  const most = candidates.reduce(
    (highest, { excess, isTruncated }) => (isTruncated ? highest : Math.max(highest, excess)),
    0,
  );
  const ranked = await rankExcess.all(tx, [...complete.keys()], cap + most);
  const attempts = ranked.filter(({ delivery_id, rank }) => rank <= cap + (complete.get(delivery_id) ?? 0));
  if (cut === undefined) return attempts;
  return [...attempts, ...(await findExcessOfOne.all(tx, cut.id, cut.excess))];
}
