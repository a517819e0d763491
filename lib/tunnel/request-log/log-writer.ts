import { setTimeout as sleep } from 'node:timers/promises';
import { isRowError } from '@/lib/platform/group-commit/store-batch';
import { log } from '@/lib/platform/log';
import { LogBuffer } from './log-buffer';
import type { LogRow } from './log-row';

interface Options {
  /** Writes rows in one statement; writing a row again changes nothing. */
  store(rows: readonly LogRow[]): Promise<void>;
  /** Counts lost rows. */
  onDropped(count: number): void;
  /** Runs the writer so that shutdown waits for it. The signal aborts when shutdown begins. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  buffer?: LogBuffer;
  gatherMs?: number;
  retryMs?: number;
}

/** How long requests gather before they are written together. */
const GATHER_MS = 100;
const RETRY_MS = 500;

/** Writes requests to the log in batches, one at a time. A batch that fails twice is lost: the log must never hold up a tunnel. */
export class LogWriter {
  private readonly buffer: LogBuffer;
  private isWriting = false;

  constructor(private readonly options: Options) {
    this.buffer = options.buffer ?? new LogBuffer();
  }

  /** Adds a row; it is written soon. */
  add(row: LogRow): void {
    const dropped = this.buffer.push(row);
    if (dropped > 0) this.options.onDropped(dropped);
    if (this.isWriting) return;
    this.isWriting = true;
    void this.options.run((signal) => this.writeAll(signal));
  }

  private async writeAll(signal: AbortSignal): Promise<void> {
    while (this.buffer.length > 0) {
      if (!this.buffer.hasFullBatch) await rest(this.options.gatherMs ?? GATHER_MS, signal);
      await this.write(this.buffer.take(), signal);
    }
    // Nothing else runs between the last check of the buffer and this line.
    this.isWriting = false;
  }

  private async write(batch: readonly LogRow[], signal: AbortSignal): Promise<void> {
    const { store } = this.options;
    try {
      await store(batch);
    } catch (error) {
      if (isRowError(error)) return this.writeEach(batch);
      await rest(this.options.retryMs ?? RETRY_MS, signal);
      await store(batch).catch((failure: unknown) => this.drop(batch, failure, signal));
    }
  }

  /** Writes rows one by one, so that only a bad row is lost. */
  private async writeEach(batch: readonly LogRow[]): Promise<void> {
    for (const row of batch) {
      await this.options.store([row]).catch((error: unknown) => this.drop([row], error));
    }
  }

  /** During shutdown there is no time to try the remaining rows. */
  private drop(batch: readonly LogRow[], error: unknown, signal?: AbortSignal): void {
    let count = batch.length;
    while (signal?.aborted === true && this.buffer.length > 0) count += this.buffer.take().length;
    this.options.onDropped(count);
    log().warn({ err: error, count }, 'requests of tunnels could not be logged');
  }
}

/** Waits, or returns at once when the process stops. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
