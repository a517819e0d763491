import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@/lib/platform/clock';
import { Fifo } from '@/lib/platform/group-commit/fifo';
import { isRowError } from '@/lib/platform/group-commit/store-batch';
import { log } from '@/lib/platform/log';
import { type LogRow, removeBodies, rowBytes } from './log-row';

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

interface Lane {
  projectId: string;
  rows: Fifo<LogRow>;
  /** The number of oldest rows that have lost their bodies. */
  withoutBodies: number;
  bytes: number;
}

interface Bounds {
  maxRows: number;
  maxBytes: number;
}

const BOUNDS: Bounds = { maxRows: 5_000, maxBytes: 32 * 1024 * 1024 };
const MAX_BATCH_ROWS = 64;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Requests that wait to be written. When the buffer is full, the project that uses most of it loses the bodies of its oldest
 * requests first, then the requests themselves. So one tenant cannot push out the log of another.
 */
export class LogBuffer {
  private readonly lanes = new Map<string, Lane>();
  private rows = 0;
  private bytes = 0;

  constructor(private readonly bounds: Bounds = BOUNDS) {}

  get length(): number {
    return this.rows;
  }

  /** The memory that the rows use, in bytes. */
  get size(): number {
    return this.bytes;
  }

  get hasFullBatch(): boolean {
    return this.rows >= MAX_BATCH_ROWS || this.bytes >= MAX_BATCH_BYTES;
  }

  /** Adds a row. @returns the number of rows dropped to make room */
  push(row: LogRow): number {
    const lane = this.lanes.get(row.projectId) ?? this.addLane(row.projectId);
    lane.rows.push(row);
    this.count(lane, 1, rowBytes(row));
    let dropped = 0;
    while (this.bytes > this.bounds.maxBytes) {
      const heaviest = this.findLane((each) => each.bytes);
      if (heaviest === undefined) break;
      if (!this.stripOldest(heaviest)) dropped += this.shift(heaviest).length;
    }
    while (this.rows > this.bounds.maxRows) {
      const longest = this.findLane((each) => each.rows.length);
      if (longest === undefined) break;
      dropped += this.shift(longest).length;
    }
    return dropped;
  }

  /** Takes the next batch. Projects take turns. */
  take(): LogRow[] {
    const batch: LogRow[] = [];
    let bytes = 0;
    while (batch.length < MAX_BATCH_ROWS) {
      const [lane] = this.lanes.values();
      const next = lane?.rows.first;
      if (lane === undefined || next === undefined) break;
      bytes += rowBytes(next);
      if (batch.length > 0 && bytes > MAX_BATCH_BYTES) break;
      batch.push(...this.shift(lane));
      if (this.lanes.delete(lane.projectId)) this.lanes.set(lane.projectId, lane);
    }
    return batch;
  }

  private addLane(projectId: string): Lane {
    const lane = { projectId, rows: new Fifo<LogRow>(), withoutBodies: 0, bytes: 0 };
    this.lanes.set(projectId, lane);
    return lane;
  }

  private findLane(measure: (lane: Lane) => number): Lane | undefined {
    let found: Lane | undefined;
    for (const lane of this.lanes.values()) {
      if (found === undefined || measure(lane) > measure(found)) found = lane;
    }
    return found;
  }

  /** @returns false when no row of the lane has a body */
  private stripOldest(lane: Lane): boolean {
    while (lane.withoutBodies < lane.rows.length) {
      const row = lane.rows.fromEnd(lane.rows.length - 1 - lane.withoutBodies) as LogRow;
      lane.withoutBodies += 1;
      const freed = removeBodies(row);
      this.count(lane, 0, -freed);
      if (freed > 0) return true;
    }
    return false;
  }

  private shift(lane: Lane): LogRow[] {
    const row = lane.rows.shift();
    if (row === undefined) return [];
    lane.withoutBodies = Math.max(0, lane.withoutBodies - 1);
    this.count(lane, -1, -rowBytes(row));
    if (lane.rows.length === 0) this.lanes.delete(lane.projectId);
    return [row];
  }

  private count(lane: Lane, rows: number, bytes: number): void {
    lane.bytes += bytes;
    this.rows += rows;
    this.bytes += bytes;
  }
}

/** At this number of keys the count starts over, so that its memory is bounded. */
const MAX_KEYS = 10_000;

/** Counts what each key, such as a tunnel, uses in a minute, up to a maximum. */
export class MinuteAllowance {
  private readonly used = new Map<string, number>();
  private endsAt = 0;

  constructor(
    private readonly max: number,
    private readonly now: () => number = () => performance.now(),
    private readonly maxKeys = MAX_KEYS,
  ) {}

  /** How many keys are counted. */
  get size(): number {
    return this.used.size;
  }

  /** Whether a key may use that much more. Counts it when it may. */
  take(key: string, amount: number): boolean {
    const isFull = this.used.size >= this.maxKeys && !this.used.has(key);
    if (this.now() >= this.endsAt || isFull) {
      this.used.clear();
      this.endsAt = this.now() + MINUTE_MS;
    }
    const used = (this.used.get(key) ?? 0) + amount;
    if (used > this.max) return false;
    this.used.set(key, used);
    return true;
  }
}
