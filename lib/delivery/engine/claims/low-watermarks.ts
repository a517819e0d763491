import { MINUTE_MS } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { readLowWatermarks } from './claim-sql';

/** How often the watermarks are read. A row that was stored below them is found by then. */
const INTERVAL_MS = MINUTE_MS;

export const BEGINNING = '-infinity';

/**
 * The times before which nothing waits in the outbox and no delivery is pending, as PostgreSQL writes them. Polls, takes and claims
 * start there. While a long snapshot is open, such as that of a backup, PostgreSQL keeps the index entries of all that left the queue
 * since: without a lower bound, each of them would read all.
 */
export class LowWatermarks {
  outbox = BEGINNING;
  deliveries = BEGINNING;

  /** Reads them. @returns in how many milliseconds to do so again */
  async advance(sql: Sql): Promise<number> {
    try {
      const { outbox, deliveries } = await readLowWatermarks.one(sql);
      this.outbox = outbox;
      this.deliveries = deliveries;
    } catch (error) {
      // What is below them is not found while they cannot be read.
      this.outbox = BEGINNING;
      this.deliveries = BEGINNING;
      throw error;
    }
    return INTERVAL_MS;
  }
}
