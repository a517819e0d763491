import { Fifo } from './fifo';
import type { IngestOutcome, IngestRow } from './ingest-sql';

/** An event whose sender waits for the response. */
export interface QueuedRow {
  row: IngestRow;
  /** The lane that it waits in: see KeyLaneCache. */
  lane: string;
  /** By performance.now(). */
  arrivedAt: number;
  isSettled: boolean;
  resolve(outcome: IngestOutcome): void;
  reject(error: unknown): void;
}

/** Gives each row of a batch its outcome. */
export function settleBatch(batch: readonly QueuedRow[], outcomes: readonly IngestOutcome[]): void {
  for (const [index, waiting] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) waiting.reject(new Error('the statement returned no outcome for a row'));
    else waiting.resolve(outcome);
  }
}

interface Lane {
  name: string;
  rows: Fifo<QueuedRow>;
  weight: number;
}

/** Rows and characters of one statement at most. A larger row is sent alone. */
const MAX_BATCH_ROWS = 64;
const MAX_BATCH_CHARS = 1024 * 1024;

/** The queue holds 64 Mi characters or 5,000 rows: each row counts for at least a 5,000th of it. */
const MAX_WEIGHT = 64 * 1024 * 1024;
const MIN_ROW_WEIGHT = Math.ceil(MAX_WEIGHT / 5_000);

const weightOf = ({ row }: QueuedRow) => Math.max(row.payload.length, MIN_ROW_WEIGHT);

/**
 * The events that wait for a statement. Lanes take turns with one row each, so a flood in one lane delays a row of another lane
 * by about one batch. A full queue drops the newest rows of its heaviest lane, so no lane can fill it.
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

  /** Whether the next batch has its full size. */
  get hasFullBatch(): boolean {
    return this.rows >= MAX_BATCH_ROWS || this.chars >= MAX_BATCH_CHARS;
  }

  /** When the oldest row arrived; Infinity if the queue is empty. */
  get oldestSince(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { rows } of this.lanes.values()) oldest = Math.min(oldest, rows.first?.arrivedAt ?? oldest);
    return oldest;
  }

  /** Adds a row. @returns the rows that have no room: none, the row itself, or the rows that were dropped for it */
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

  /** Takes the next batch. */
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

  /** Takes all rows. */
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

  /** Drops rows until this one fits; null if its own lane would then be the heaviest. */
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

  /** The lane keeps at least one row: it stays heavier than the lane of the new row. */
  private dropNewest(lane: Lane): QueuedRow {
    const dropped = lane.rows.pop() as QueuedRow;
    this.count(lane, dropped, -1);
    return dropped;
  }
}
