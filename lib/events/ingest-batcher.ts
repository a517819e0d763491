import { once } from '@/lib/platform/globals';
import { GroupCommit } from '@/lib/platform/group-commit/group-commit';
import type { Store } from '@/lib/platform/group-commit/store-batch';
import { type IngestOutcome, type IngestRow, storeEvents } from './ingest-sql';
import { KeyLaneCache } from './key-lane-cache';

/** Stores events by group commit. Each project has a lane of its own, so that none delays another. */
export class IngestBatcher {
  private readonly keys = new KeyLaneCache();
  private readonly commits: GroupCommit<IngestRow, IngestOutcome>;

  constructor(store: Store<IngestRow, IngestOutcome>) {
    this.commits = new GroupCommit(store, 'events');
  }

  /** Milliseconds since the oldest event arrived that is not stored yet; 0 if there is none. */
  get oldestWaitMs(): number {
    return this.commits.oldestWaitMs;
  }

  /** Stores one event. @throws AppError overloaded, unavailable: see GroupCommit */
  async add(row: IngestRow): Promise<IngestOutcome> {
    const lane = this.keys.laneOf(row.keyHash);
    const outcome = await this.commits.add(row, { lane, size: row.payload.length });
    this.keys.learn(row.keyHash, lane, outcome);
    return outcome;
  }
}

/** Returns the batcher of this process. */
export function ingestBatcher(): IngestBatcher {
  return once('ingest-batcher', () => new IngestBatcher(storeEvents));
}
