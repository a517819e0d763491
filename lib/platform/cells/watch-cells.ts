import { SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { readCells } from './cells';
import { KNOWN_AFTER_SECONDS } from './cells-sql';
import { knownCells } from './current-cell';

/** Twice within the time after which every process knows a new cell. */
const INTERVAL_MS = 25 * SECOND_MS;

/** How long work that began before a second cell was known may continue without naming its cell. */
const GRACE_MS = KNOWN_AFTER_SECONDS * SECOND_MS;

/**
 * Reads the cells, and does it again every 25 s: a process learns of a new one without a restart. While the database cannot be read,
 * those that were read last stay known.
 *
 * @param onChange called when they differ from those read before
 * @returns a function that ends the readings
 * @throws when the first reading fails
 */
export async function watchCells(onChange?: (cells: readonly string[]) => void): Promise<() => void> {
  await readCells();
  const timer = setInterval(async () => {
    const before = knownCells();
    try {
      await readCells(GRACE_MS);
      if (before.join() !== knownCells().join()) onChange?.(knownCells());
    } catch (error) {
      log().warn({ err: error }, 'could not read the cells');
    }
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
