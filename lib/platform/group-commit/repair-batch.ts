import { unavailable } from './hot-connection';
import { type QueuedRow, settleBatch } from './lane-queue';
import { isLockTimeout, isRowError, type Store } from './store-batch';

/** How long a part of a batch waits for a lock. A single row waits longer, after all others have been tried. */
const [LOCK_TIMEOUT_MS, ALONE_LOCK_TIMEOUT_MS] = [50, 1_000];
/** No statement starts later than this. The remaining rows fail with 503. */
const REPAIR_MS = 4_000;

/**
 * Stores the good rows of a batch that failed: splits it in halves until each faulty row is alone. One faulty row of 64 costs
 * about twelve statements. A split between two lanes is preferred, so that the rows of other lanes are stored first.
 *
 * @param mayBeStored whether an earlier try may have stored the rows
 */
export async function repairBatch<Row, Outcome>(
  store: Store<Row, Outcome>,
  batch: readonly QueuedRow<Row, Outcome>[],
  mayBeStored: boolean,
): Promise<void> {
  const endsAt = performance.now() + REPAIR_MS;
  const locked: QueuedRow<Row, Outcome>[] = [];
  const tryPart = async (part: readonly QueuedRow<Row, Outcome>[], lockTimeoutMs: number): Promise<void> => {
    if (performance.now() > endsAt) throw unavailable();
    const outcomes = await store(
      part.map(({ row }) => row),
      { mayBeStored, lockTimeoutMs },
    );
    settleBatch(part, outcomes);
  };
  const parts = cut([...batch].sort(byLane));
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    try {
      await tryPart(part, LOCK_TIMEOUT_MS);
    } catch (error) {
      if (part.length > 1 && isRowError(error)) parts.push(...cut(part));
      else if (isLockTimeout(error)) locked.push(...part);
      else for (const waiting of part) waiting.reject(error);
    }
  }
  for (const waiting of locked) await tryPart([waiting], ALONE_LOCK_TIMEOUT_MS).catch(waiting.reject);
}

interface InLane {
  owner: string;
  lane: string;
}

function byLane(a: InLane, b: InLane): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1;
  return a.lane < b.lane ? -1 : Number(a.lane > b.lane);
}

/** Splits rows that are sorted by lane between two lanes, as near to the middle as possible. */
function cut<Queued extends InLane>(rows: readonly Queued[]): Queued[][] {
  if (rows.length < 2) return [[...rows]];
  const middle = rows.length >> 1;
  const isBoundary = (at: number) => rows[at - 1]?.lane !== rows[at]?.lane;
  let at = middle;
  for (let away = 0; away < middle; away++) {
    const near = [middle - away, middle + away].find((place) => place > 0 && place < rows.length && isBoundary(place));
    if (near === undefined) continue;
    at = near;
    break;
  }
  return [rows.slice(0, at), rows.slice(at)];
}
