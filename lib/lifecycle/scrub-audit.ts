import type { Sql } from '@/lib/platform/db';
import { FEW_TRIES, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { allowScrubbing } from './purge-sql';

/**
 * Scrubs the audit log in batches, each in a transaction that may change entries.
 * @param scrub scrubs a batch above an entry, and returns the last of it
 * @param signal ends it after the current batch
 * @returns false when the signal ended it
 */
export async function scrubAudit(
  scrub: (tx: Sql, above: string) => Promise<{ id: string } | undefined>,
  signal?: AbortSignal,
): Promise<boolean> {
  for (let above: string | undefined = LOWEST_ID; above !== undefined; ) {
    if (signal?.aborted === true) return false;
    const from: string = above;
    above = await retryLockedTransaction(async (tx) => {
      await allowScrubbing.run(tx);
      return (await scrub(tx, from))?.id;
    }, FEW_TRIES);
  }
  return true;
}
