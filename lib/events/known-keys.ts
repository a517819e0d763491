import type { IngestOutcome } from './ingest-sql';

/** Beyond it everything is forgotten: keys then share a lane until their next event has been stored. */
const MAX_KNOWN = 10_000;
const UNKNOWN = 'unknown';

/**
 * Which project's lane of the queue a key takes. Remembered from earlier answers and only for fairness: the statement judges
 * every key itself. Keys not yet seen share one lane, so nobody gains a share by inventing keys, nor by making many.
 */
export class KnownKeys {
  private readonly lanes = new Map<string, string>();

  laneOf(keyHash: Buffer): string {
    return this.lanes.get(keyHash.toString('latin1')) ?? UNKNOWN;
  }

  /** Notes what the statement found of the key of a row that waited in `lane`. */
  learn(keyHash: Buffer, lane: string, { keyState, keyProjectId }: IngestOutcome): void {
    const found = keyState === 'active' && keyProjectId !== null ? keyProjectId : UNKNOWN;
    if (found === lane) return;
    const name = keyHash.toString('latin1');
    if (found === UNKNOWN) {
      this.lanes.delete(name);
      return;
    }
    if (this.lanes.size >= MAX_KNOWN) this.lanes.clear();
    this.lanes.set(name, found);
  }
}
