import { unavailable } from './ingest-connection';
import { type QueuedRow, settleBatch } from './ingest-queue';
import { isFaultOfRow, isLockTimeout, type Store } from './store-batch';

/** A part of a batch waits this long for a lock; a row by itself longer, once all others have been tried. */
const [LOCK_TIMEOUT_MS, ALONE_LOCK_TIMEOUT_MS] = [50, 1_000];
/** No statement begins later than this: what is left then is answered 503. */
const REPAIR_MS = 4_000;

/**
 * Stores a batch in which a row is at fault by halves, until each faulty row stands alone: one of 64 costs a dozen
 * statements. A cut goes between two lanes where it can, so that the other lanes are stored first.
 *
 * @param mayBeStored whether the rows may have been stored by an earlier try
 */
export async function repairBatch(store: Store, batch: readonly QueuedRow[], mayBeStored: boolean): Promise<void> {
  const endsAt = performance.now() + REPAIR_MS;
  const locked: QueuedRow[] = [];
  const tryPart = async (part: readonly QueuedRow[], lockTimeoutMs: number): Promise<void> => {
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
      if (part.length > 1 && isFaultOfRow(error)) parts.push(...cut(part));
      else if (isLockTimeout(error)) locked.push(...part);
      else for (const waiting of part) waiting.reject(error);
    }
  }
  for (const waiting of locked) await tryPart([waiting], ALONE_LOCK_TIMEOUT_MS).catch(waiting.reject);
}

function byLane(a: QueuedRow, b: QueuedRow): number {
  return a.lane < b.lane ? -1 : Number(a.lane > b.lane);
}

/** Two parts of rows that are sorted by lane, cut between lanes as near the middle as can be; one row is one part. */
function cut(rows: readonly QueuedRow[]): QueuedRow[][] {
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
