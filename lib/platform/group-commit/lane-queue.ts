import { Fifo } from './fifo';

/** A row whose sender waits for the response. */
export interface QueuedRow<Row, Outcome> {
  row: Row;
  /** The lane that it waits in, such as its project. */
  lane: string;
  /** Its size in characters or bytes. */
  size: number;
  /** By performance.now(). */
  arrivedAt: number;
  isSettled: boolean;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Gives each row of a batch its outcome. */
export function settleBatch<Row, Outcome>(
  batch: readonly QueuedRow<Row, Outcome>[],
  outcomes: readonly Outcome[],
): void {
  for (const [index, waiting] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) waiting.reject(new Error('the statement returned no outcome for a row'));
    else waiting.resolve(outcome);
  }
}

interface Lane<Queued> {
  name: string;
  rows: Fifo<Queued>;
  weight: number;
}

/** Rows of one statement at most, and their total size. A larger row is sent alone. */
const MAX_BATCH_ROWS = 64;
const MAX_BATCH_SIZE = 1024 * 1024;

/** The queue holds a size of 64 Mi or 5,000 rows: each row counts for at least a 5,000th of it. */
const MAX_WEIGHT = 64 * 1024 * 1024;
const MIN_ROW_WEIGHT = Math.ceil(MAX_WEIGHT / 5_000);

const weightOf = ({ size }: { size: number }) => Math.max(size, MIN_ROW_WEIGHT);

/**
 * The rows that wait for a statement. Lanes take turns with one row each, so a flood in one lane delays a row of another lane
 * by about one batch. A full queue drops the newest rows of its heaviest lane, so no lane can fill it.
 */
export class LaneQueue<Row, Outcome> {
  private readonly lanes = new Map<string, Lane<QueuedRow<Row, Outcome>>>();
  private readonly turns = new Fifo<Lane<QueuedRow<Row, Outcome>>>();
  private weight = 0;
  private rows = 0;
  private size = 0;

  get length(): number {
    return this.rows;
  }

  /** Whether the next batch has its full size. */
  get hasFullBatch(): boolean {
    return this.rows >= MAX_BATCH_ROWS || this.size >= MAX_BATCH_SIZE;
  }

  /** When the oldest row arrived; Infinity if the queue is empty. */
  get oldestSince(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { rows } of this.lanes.values()) oldest = Math.min(oldest, rows.first?.arrivedAt ?? oldest);
    return oldest;
  }

  /** Adds a row. @returns the rows that have no room: none, the row itself, or the rows that were dropped for it */
  push(waiting: QueuedRow<Row, Outcome>): QueuedRow<Row, Outcome>[] {
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
  take(): QueuedRow<Row, Outcome>[] {
    const batch: QueuedRow<Row, Outcome>[] = [];
    let size = 0;
    while (batch.length < MAX_BATCH_ROWS) {
      const next = this.turns.first?.rows.first;
      if (next === undefined) break;
      size += next.size;
      if (batch.length > 0 && size > MAX_BATCH_SIZE) break;
      batch.push(next);
      this.passTurn(next);
    }
    return batch;
  }

  /** Takes all rows. */
  drain(): QueuedRow<Row, Outcome>[] {
    const all: QueuedRow<Row, Outcome>[] = [];
    while (this.rows > 0) all.push(...this.take());
    return all;
  }

  private passTurn(taken: QueuedRow<Row, Outcome>): void {
    const lane = this.turns.shift() as Lane<QueuedRow<Row, Outcome>>;
    lane.rows.shift();
    this.count(lane, taken, -1);
    if (lane.rows.length > 0) this.turns.push(lane);
    else this.lanes.delete(lane.name);
  }

  private count(lane: Lane<QueuedRow<Row, Outcome>>, waiting: QueuedRow<Row, Outcome>, sign: 1 | -1): void {
    const weight = sign * weightOf(waiting);
    lane.weight += weight;
    this.weight += weight;
    this.rows += sign;
    this.size += sign * waiting.size;
  }

  /** Drops rows until this one fits; null if its own lane would then be the heaviest. */
  private makeRoom(waiting: QueuedRow<Row, Outcome>): QueuedRow<Row, Outcome>[] | null {
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
    return Array.from({ length: count }, () => this.dropNewest(heaviest as Lane<QueuedRow<Row, Outcome>>));
  }

  private heaviestLane(): Lane<QueuedRow<Row, Outcome>> | undefined {
    let heaviest: Lane<QueuedRow<Row, Outcome>> | undefined;
    for (const lane of this.lanes.values())
      if (heaviest === undefined || lane.weight > heaviest.weight) heaviest = lane;
    return heaviest;
  }

  /** The lane keeps at least one row: it stays heavier than the lane of the new row. */
  private dropNewest(lane: Lane<QueuedRow<Row, Outcome>>): QueuedRow<Row, Outcome> {
    const dropped = lane.rows.pop() as QueuedRow<Row, Outcome>;
    this.count(lane, dropped, -1);
    return dropped;
  }
}
