import { SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { readCells } from './cells';
import { KNOWN_AFTER_SECONDS } from './cells-sql';
import { knownCells, setKnownCells } from './current-cell';

/** Twice within the time after which every process knows a new cell. */
const INTERVAL_MS = 25 * SECOND_MS;

/** Until they are known. */
const FIRST_INTERVAL_MS = SECOND_MS;

/** How long work that began before a second cell was known may continue without naming its cell. */
const GRACE_MS = KNOWN_AFTER_SECONDS * SECOND_MS;

/**
 * Reads the cells, and does it again every 25 s: a process learns of a new one without a restart. While the database cannot be read,
 * those that were read last stay known; before the first time, none are.
 *
 * @param onChange called when they differ from those read before
 * @param intervalMs less than half of the time after which every process knows a new one
 * @returns a function that ends the readings
 */
export async function watchCells(
  onChange?: (cells: readonly string[]) => void,
  intervalMs = INTERVAL_MS,
): Promise<() => void> {
  let timer: NodeJS.Timeout;
  let isFirst = true;
  let hasReturned = false;
  const read = async () => {
    const before = knownCells();
    try {
      await readCells(isFirst ? 0 : GRACE_MS);
      if (hasReturned && before.join() !== knownCells().join()) onChange?.(knownCells());
      isFirst = false;
    } catch (error) {
      if (isFirst) setKnownCells([]);
      log().warn({ err: error }, 'could not read the cells');
    }
    timer = setTimeout(read, isFirst ? FIRST_INTERVAL_MS : intervalMs);
  };
  await read();
  hasReturned = true;
  return () => clearTimeout(timer);
}
