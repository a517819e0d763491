import { Fifo } from '@/lib/platform/group-commit/fifo';
import { type LogRow, removeBodies, rowBytes } from './log-row';

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
