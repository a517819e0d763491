import type { IngestOutcome } from './ingest-sql';

/** Beyond this number all keys are forgotten: they share a lane until their next event is stored. */
const MAX_KNOWN = 10_000;
const UNKNOWN = 'unknown';

/**
 * Remembers the project of each key, so that each project has a lane of its own in the queue. This is only for fairness: the
 * statement checks every key. All unknown keys share one lane, so invented keys gain no share, nor do several keys of a project.
 */
export class KeyLaneCache {
  private readonly lanes = new Map<string, string>();

  laneOf(keyHash: Buffer): string {
    return this.lanes.get(keyHash.toString('latin1')) ?? UNKNOWN;
  }

  /** Notes what the statement found out about the key of a row that waited in `lane`. */
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
