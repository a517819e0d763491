import { Fifo } from './fifo';

/** A row whose sender waits for the response. */
export interface QueuedRow<Row, Outcome> {
  row: Row;
  /** Who it counts for, such as the owner of its organization. */
  owner: string;
  /** The lane within the owner, such as its project. */
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

/** Lanes and owners are in the order of their turns: a Map keeps the order of its entries. */
interface Lane<Queued> {
  name: string;
  rows: Fifo<Queued>;
  weight: number;
}

interface Owner<Queued> {
  name: string;
  lanes: Map<string, Lane<Queued>>;
  weight: number;
  /** The weight that it may still take in this turn. */
  balance: number;
}

/** Rows of one statement at most, and their total size. A larger row is sent alone. */
const MAX_BATCH_ROWS = 64;
const MAX_BATCH_SIZE = 512 * 1024;
/** A larger row shares a statement with rows of its owner only: its statement takes long. */
const LARGE_SIZE = 64 * 1024;

/** A queue holds a size of 32 Mi or 5,000 rows: each row counts for at least a 5,000th of it. */
const MAX_WEIGHT = 32 * 1024 * 1024;
const MIN_ROW_WEIGHT = Math.ceil(MAX_WEIGHT / 5_000);

const weightOf = ({ size }: { size: number }) => Math.max(size, MIN_ROW_WEIGHT);

/**
 * Gives the turn to the next one. One that is alone keeps it: deleting from a Map leaves old tables that refer to new ones, and so keep
 * what these refer to until the next full collection of garbage.
 */
function moveToEnd<Named extends { name: string }>(turns: Map<string, Named>, served: Named): void {
  if (turns.size === 1) return;
  turns.delete(served.name);
  turns.set(served.name, served);
}

/**
 * The rows that wait for a statement. Owners take turns and get the same weight each (deficit round robin), so a flood of one owner,
 * however many lanes or large rows it has, delays a row of another owner by about one batch. The lanes of an owner take turns within
 * its share. A full queue drops the newest rows of the heaviest lane of its heaviest owner, so no owner can fill it.
 */
export class LaneQueue<Row, Outcome> {
  private readonly owners = new Map<string, Owner<QueuedRow<Row, Outcome>>>();
  private weight = 0;
  private rows = 0;
  private size = 0;

  constructor(private readonly maxWeight = MAX_WEIGHT) {}

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
    for (const { lanes } of this.owners.values()) {
      for (const { rows } of lanes.values()) oldest = Math.min(oldest, rows.first?.arrivedAt ?? oldest);
    }
    return oldest;
  }

  /** Adds a row. @returns the rows that have no room: none, the row itself, or the rows that were dropped for it */
  push(waiting: QueuedRow<Row, Outcome>): QueuedRow<Row, Outcome>[] {
    const dropped = this.makeRoom(waiting);
    if (dropped === null) return [waiting];
    this.add(waiting);
    return dropped;
  }

  /** Takes the next batch. */
  take(): QueuedRow<Row, Outcome>[] {
    const batch: QueuedRow<Row, Outcome>[] = [];
    let size = 0;
    while (batch.length < MAX_BATCH_ROWS && this.rows > 0) {
      const owner = this.passTurns();
      const lane = firstOf(owner.lanes);
      const next = lane.rows.first as QueuedRow<Row, Outcome>;
      size += next.size;
      if (!fitsInto(batch, next, size)) break;
      batch.push(next);
      lane.rows.shift();
      owner.balance -= weightOf(next);
      this.remove(owner, lane, next);
      if (lane.rows.length > 0) moveToEnd(owner.lanes, lane);
    }
    return batch;
  }

  /** Takes all rows. */
  drain(): QueuedRow<Row, Outcome>[] {
    const all: QueuedRow<Row, Outcome>[] = [];
    while (this.rows > 0) all.push(...this.take());
    return all;
  }

  /** Returns the owner whose turn it is: the next one whose balance covers its next row. */
  private passTurns(): Owner<QueuedRow<Row, Outcome>> {
    for (;;) {
      const owner = firstOf(this.owners);
      const next = firstOf(owner.lanes).rows.first as QueuedRow<Row, Outcome>;
      if (weightOf(next) <= owner.balance) return owner;
      owner.balance += MIN_ROW_WEIGHT;
      moveToEnd(this.owners, owner);
    }
  }

  private add(waiting: QueuedRow<Row, Outcome>): void {
    let owner = this.owners.get(waiting.owner);
    if (owner === undefined) {
      owner = { name: waiting.owner, lanes: new Map(), weight: 0, balance: MIN_ROW_WEIGHT };
      this.owners.set(owner.name, owner);
    }
    let lane = owner.lanes.get(waiting.lane);
    if (lane === undefined) {
      lane = { name: waiting.lane, rows: new Fifo(), weight: 0 };
      owner.lanes.set(lane.name, lane);
    }
    lane.rows.push(waiting);
    this.count(owner, lane, waiting, 1);
  }

  /** Notes that a row left its lane. An owner's balance ends with its last row: nobody saves turns for later. */
  private remove(
    owner: Owner<QueuedRow<Row, Outcome>>,
    lane: Lane<QueuedRow<Row, Outcome>>,
    removed: QueuedRow<Row, Outcome>,
  ): void {
    this.count(owner, lane, removed, -1);
    if (lane.rows.length === 0) owner.lanes.delete(lane.name);
    if (owner.lanes.size === 0) this.owners.delete(owner.name);
  }

  private count(
    owner: Owner<QueuedRow<Row, Outcome>>,
    lane: Lane<QueuedRow<Row, Outcome>>,
    waiting: QueuedRow<Row, Outcome>,
    sign: 1 | -1,
  ): void {
    const weight = sign * weightOf(waiting);
    lane.weight += weight;
    owner.weight += weight;
    this.weight += weight;
    this.rows += sign;
    this.size += sign * waiting.size;
  }

  /** Drops rows of the heaviest owner until this one fits; null if its own owner would then be the heaviest. */
  private makeRoom(waiting: QueuedRow<Row, Outcome>): QueuedRow<Row, Outcome>[] | null {
    const needed = this.weight + weightOf(waiting) - this.maxWeight;
    if (needed <= 0) return [];
    const own = (this.owners.get(waiting.owner)?.weight ?? 0) + weightOf(waiting);
    const heaviest = heaviestOf(this.owners);
    if (heaviest.weight - needed < own) return null;
    const dropped: QueuedRow<Row, Outcome>[] = [];
    while (this.weight + weightOf(waiting) > this.maxWeight) {
      const lane = heaviestOf(heaviest.lanes);
      const newest = lane.rows.pop() as QueuedRow<Row, Outcome>;
      this.remove(heaviest, lane, newest);
      dropped.push(newest);
    }
    if (heaviest.weight >= own) return dropped;
    // The last row that was dropped is larger than needed.
    for (const row of dropped.reverse()) this.add(row);
    return null;
  }
}

function fitsInto<Queued extends { owner: string; size: number }>(
  batch: Queued[],
  next: Queued,
  size: number,
): boolean {
  const last = batch.at(-1);
  if (last === undefined) return true;
  const isLarge = last.size > LARGE_SIZE || next.size > LARGE_SIZE;
  return size <= MAX_BATCH_SIZE && !(isLarge && last.owner !== next.owner);
}

/** Returns the first entry of a map that has one. */
function firstOf<T>(map: ReadonlyMap<string, T>): T {
  return map.values().next().value as T;
}

function heaviestOf<T extends { weight: number }>(map: ReadonlyMap<string, T>): T {
  let heaviest = firstOf(map);
  for (const each of map.values()) if (each.weight > heaviest.weight) heaviest = each;
  return heaviest;
}
