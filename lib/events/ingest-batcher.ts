import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { type IngestOutcome, type IngestRow, storeEvents } from './ingest-sql';

const MAX_ROWS = 64;
const MAX_BATCH_CHARS = 1024 * 1024;
const MAX_IN_FLIGHT = 2;
const MAX_WAITING_ROWS = 5_000;
const MAX_WAITING_CHARS = 64 * 1024 * 1024;

interface Waiting {
  row: IngestRow;
  resolve(outcome: IngestOutcome): void;
  reject(error: unknown): void;
}

type Store = (rows: readonly IngestRow[]) => Promise<IngestOutcome[]>;

/**
 * Joins events that arrive together into one statement (group commit). While two statements are under way the next rows
 * gather, so batches grow with the load and an event that comes alone waits for nothing.
 */
export class IngestBatcher {
  private readonly waiting: Waiting[] = [];
  private waitingChars = 0;
  private inFlight = 0;
  private scheduled = false;

  constructor(private readonly store: Store) {}

  /** Stores one event. @throws AppError overloaded when more is waiting than the database takes in time */
  add(row: IngestRow): Promise<IngestOutcome> {
    if (this.waiting.length >= MAX_WAITING_ROWS || this.waitingChars > MAX_WAITING_CHARS) {
      const detail = 'Too many events are waiting to be stored. Send this one again.';
      return Promise.reject(new AppError('overloaded', detail, { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
      this.waitingChars += row.payload.length;
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.inFlight >= MAX_IN_FLIGHT || this.waiting.length === 0) return;
    this.scheduled = true;
    // setImmediate lets every request of this turn of the event loop join the batch.
    setImmediate(() => {
      this.scheduled = false;
      void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const batch = this.take();
    if (batch.length === 0) return;
    this.inFlight++;
    this.schedule();
    try {
      await this.storeBatch(batch);
    } finally {
      this.inFlight--;
      this.schedule();
    }
  }

  private take(): Waiting[] {
    let chars = 0;
    let count = 0;
    for (const { row } of this.waiting) {
      chars += row.payload.length;
      if (count > 0 && (count >= MAX_ROWS || chars > MAX_BATCH_CHARS)) break;
      count++;
    }
    const batch = this.waiting.splice(0, count);
    for (const { row } of batch) this.waitingChars -= row.payload.length;
    return batch;
  }

  private async storeBatch(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.store(batch.map(({ row }) => row));
      for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await this.storeOneByOne(batch, error);
    }
  }

  /** One row that the database refuses must not take the others with it. */
  private async storeOneByOne(batch: Waiting[], error: unknown): Promise<void> {
    log().warn({ err: error, rows: batch.length }, 'a batch of events failed; storing its rows alone');
    for (const waiting of batch) {
      await this.store([waiting.row]).then(
        ([outcome]) => settle(waiting, outcome),
        (failure) => waiting.reject(failure),
      );
    }
  }
}

function settle(waiting: Waiting, outcome: IngestOutcome | undefined): void {
  if (outcome === undefined) waiting.reject(new Error('the statement lost a row'));
  else waiting.resolve(outcome);
}

/** The one batcher of the process. */
export function ingestBatcher(): IngestBatcher {
  return once('ingest-batcher', () => new IngestBatcher(storeEvents));
}
