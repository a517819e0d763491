import { Fifo } from './fifo';
import type { IngestOutcome, IngestRow } from './ingest-sql';

/** One event whose sender waits for its answer. */
export interface QueuedRow {
  row: IngestRow;
  /** The lane whose share of the queue it uses: see KnownKeys. */
  lane: string;
  /** When it arrived, by performance.now(). */
  arrivedAt: number;
  isSettled: boolean;
  resolve(outcome: IngestOutcome): void;
  reject(error: unknown): void;
}

/** Gives each row of a batch its outcome. */
export function settleBatch(batch: readonly QueuedRow[], outcomes: readonly IngestOutcome[]): void {
  for (const [index, waiting] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) waiting.reject(new Error('the statement lost a row'));
    else waiting.resolve(outcome);
  }
}

interface Lane {
  name: string;
  rows: Fifo<QueuedRow>;
  weight: number;
}

/** A statement takes at most this many rows, and rows of about this many characters. */
const MAX_BATCH_ROWS = 64;
const MAX_BATCH_CHARS = 1024 * 1024;

/** What may wait: 64 Mi characters, or 5,000 rows, since every row counts for at least a 5,000th. */
const MAX_WEIGHT = 64 * 1024 * 1024;
const MIN_ROW_WEIGHT = Math.ceil(MAX_WEIGHT / 5_000);

const weightOf = ({ row }: QueuedRow) => Math.max(row.payload.length, MIN_ROW_WEIGHT);

/**
 * The events that wait for a statement. Lanes take turns, one row each, so a flood in one lane delays a row of another by
 * about one batch. A full queue makes room by dropping the newest rows of the heaviest lane, so no lane can fill it.
 */
export class IngestQueue {
  private readonly lanes = new Map<string, Lane>();
  private readonly turns = new Fifo<Lane>();
  private weight = 0;
  private rows = 0;
  private chars = 0;

  get length(): number {
    return this.rows;
  }

  /** Whether the next batch cannot grow any further. */
  get hasFullBatch(): boolean {
    return this.rows >= MAX_BATCH_ROWS || this.chars >= MAX_BATCH_CHARS;
  }

  /** When the oldest row arrived; Infinity when there is none. Looks at each lane once. */
  get oldestSince(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { rows } of this.lanes.values()) oldest = Math.min(oldest, rows.first?.arrivedAt ?? oldest);
    return oldest;
  }

  /** Adds a row. @returns the rows there is no room for: none, the row itself, or others that made room for it */
  push(waiting: QueuedRow): QueuedRow[] {
    const dropped = this.makeRoom(waiting);
    if (dropped === null) return [waiting];
    let lane = this.lanes.get(waiting.lane);
    if (lane === undefined) {
      lane = { name: waiting.lane, rows: new Fifo(), weight: 0 };
      this.lanes.set(lane.name, lane);
      this.turns.push(lane);
    }
    lane.rows.push(waiting);
    this.count(lane, waiting, 1);
    return dropped;
  }

  /** The next batch. */
  take(): QueuedRow[] {
    const batch: QueuedRow[] = [];
    let chars = 0;
    while (batch.length < MAX_BATCH_ROWS) {
      const next = this.turns.first?.rows.first;
      if (next === undefined) break;
      chars += next.row.payload.length;
      if (batch.length > 0 && chars > MAX_BATCH_CHARS) break;
      batch.push(next);
      this.passTurn(next);
    }
    return batch;
  }

  /** Takes everything out. */
  drain(): QueuedRow[] {
    const all: QueuedRow[] = [];
    while (this.rows > 0) all.push(...this.take());
    return all;
  }

  private passTurn(taken: QueuedRow): void {
    const lane = this.turns.shift() as Lane;
    lane.rows.shift();
    this.count(lane, taken, -1);
    if (lane.rows.length > 0) this.turns.push(lane);
    else this.lanes.delete(lane.name);
  }

  private count(lane: Lane, waiting: QueuedRow, sign: 1 | -1): void {
    const weight = sign * weightOf(waiting);
    lane.weight += weight;
    this.weight += weight;
    this.rows += sign;
    this.chars += sign * waiting.row.payload.length;
  }

  /** Drops what must go for the row to fit; null when its own lane would then be the heaviest. */
  private makeRoom(waiting: QueuedRow): QueuedRow[] | null {
    const needed = this.weight + weightOf(waiting) - MAX_WEIGHT;
    if (needed <= 0) return [];
    const heaviest = this.heaviestLane();
    const own = (this.lanes.get(waiting.lane)?.weight ?? 0) + weightOf(waiting);
    let [count, freed] = [0, 0];
    while (freed < needed) {
      const next = heaviest?.rows.fromEnd(count);
      if (heaviest === undefined || next === undefined) return null;
      freed += weightOf(next);
      count++;
      if (heaviest.weight - freed < own) return null;
    }
    return Array.from({ length: count }, () => this.dropNewest(heaviest as Lane));
  }

  private heaviestLane(): Lane | undefined {
    let heaviest: Lane | undefined;
    for (const lane of this.lanes.values())
      if (heaviest === undefined || lane.weight > heaviest.weight) heaviest = lane;
    return heaviest;
  }

  /** The lane keeps at least one row: it stays heavier than the lane it makes room for. */
  private dropNewest(lane: Lane): QueuedRow {
    const dropped = lane.rows.pop() as QueuedRow;
    this.count(lane, dropped, -1);
    return dropped;
  }
}
