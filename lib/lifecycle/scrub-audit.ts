import { LRUCache } from 'lru-cache';
import type { Sql } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { FEW_TRIES, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { type PurgePace, rest } from './purge-project';
import { allowScrubbing } from './purge-sql';

/** The last scrubbed entry of each log that ran out of time. To look at scrubbed entries again costs a tenth of scrubbing them. */
const unfinished = () => once('unfinished-scrubs', () => new LRUCache<string, string>({ max: 1_000 }));

/**
 * Scrubs the entries of a person or an organization in batches, each in a transaction that may change entries.
 * @param scrub scrubs a batch above an entry, and returns the last of it
 * @returns false when its time was over before the end: the next call continues
 */
export async function scrubAudit(
  id: string,
  scrub: (tx: Sql, above: string) => Promise<{ id: string } | undefined>,
  pace: PurgePace,
): Promise<boolean> {
  while (pace.signal?.aborted !== true) {
    const startedAt = performance.now();
    const last = await retryLockedTransaction(async (tx) => {
      await allowScrubbing.run(tx);
      return scrub(tx, unfinished().get(id) ?? LOWEST_ID);
    }, FEW_TRIES);
    if (last === undefined) {
      unfinished().delete(id);
      return true;
    }
    unfinished().set(id, last.id);
    if (performance.now() >= pace.endsAt) return false;
    if (pace.isPaced) await rest(performance.now() - startedAt, pace.signal);
  }
  return false;
}
