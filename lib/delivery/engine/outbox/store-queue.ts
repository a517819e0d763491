import { isWithinShare, mayHaveFirst } from '@/lib/delivery/engine/dispatch/slot-policy';
import { STORE_BATCH_ROWS } from '@/lib/delivery/engine/record/store-deliveries';
import type { LeasedDelivery } from '@/lib/delivery/engine/types';
import { projectOfTurn } from '@/lib/events/turn-key';
import { SECOND_MS } from '@/lib/platform/clock';
import { isAlone, Pace } from '@/lib/platform/pace';
import { RoundRobin } from '@/lib/platform/round-robin';

/**
 * Owners share this many deliveries: each may have as many as are left, and n of them have `MAX_QUEUED / (n + 1)` each. Beyond that no
 * more outbox rows are taken for an owner. The last event may exceed it.
 */
const MAX_QUEUED = 10_000;
/** Rows of an owner without queued deliveries are taken up to this number, about 25 MB. Most have few deliveries, which need not be stored. */
const MAX_QUEUED_WITH_FIRST = 100_000;
/**
 * Deliveries that are stored for an owner while the worker works for others too. An event to endpoints that hang makes hundreds of them.
 * The turn that exceeds it rests, and all of the owner's once it owes more than a second.
 */
const STORED = { perSecond: 2_000, burst: MAX_QUEUED, mostOwed: 4_000 };
const MOST_REST_OF_TURN_MS = SECOND_MS;

/** Deliveries that must be stored before they are sent. Owners take turns, and so do the projects and customers of an owner. */
export class StoreQueue {
  private readonly byTurn = new Map<string, { ownerId: string; jobs: LeasedDelivery[] }>();
  private readonly byOwner = new Map<string, number>();
  private readonly turns = new RoundRobin<string>();
  private readonly pace = new Pace(STORED, isAlone);
  /** When owners and turns may queue more, by performance.now(). */
  private readonly restUntil = new Map<string, number>();
  private count = 0;

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(private readonly ownerOf: (projectId: string) => string) {}

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Whether no more rows of a turn may be taken: it has queued deliveries, or rests. */
  isBusy(turn: string): boolean {
    return this.byTurn.has(turn) || this.isResting(turn);
  }

  /** Whether rows may be taken for an owner, who has not yet queued all that it may. */
  hasRoomFor(ownerId: string): boolean {
    if (this.isResting(ownerId)) return false;
    const usage = { total: this.count, own: this.byOwner.get(ownerId) ?? 0 };
    return isWithinShare(MAX_QUEUED, usage, 1) || mayHaveFirst(MAX_QUEUED_WITH_FIRST, usage);
  }

  /** In how many milliseconds the next rest ends; null without one. */
  nextRoomInMs(): number | null {
    const now = performance.now();
    let soonest: number | null = null;
    for (const [ownerId, until] of this.restUntil) {
      if (until <= now) this.restUntil.delete(ownerId);
      soonest = Math.min(soonest ?? Number.POSITIVE_INFINITY, Math.max(0, until - now));
    }
    return soonest;
  }

  /** @param turn the turn key of the outbox row that they come from */
  add(turn: string, jobs: readonly LeasedDelivery[]): void {
    if (jobs.length === 0) return;
    const queued = this.byTurn.get(turn);
    const ownerId = queued?.ownerId ?? this.ownerOf(projectOfTurn(turn));
    this.countOf(ownerId, jobs.length);
    const restMs = this.pace.restAfter(ownerId, jobs.length);
    this.rest(turn, restMs);
    this.rest(ownerId, restMs - MOST_REST_OF_TURN_MS);
    if (queued !== undefined) {
      for (const job of jobs) queued.jobs.push(job);
      return;
    }
    this.byTurn.set(turn, { ownerId, jobs: [...jobs] });
    this.turns.push(ownerId, turn);
  }

  /** Takes the next batch. Owners share it evenly, so that the few deliveries of one do not wait for a batch of each other. */
  nextBatch(): LeasedDelivery[] {
    const batch: LeasedDelivery[] = [];
    const share = Math.max(1, Math.floor(STORE_BATCH_ROWS / Math.max(1, this.byOwner.size)));
    while (batch.length < STORE_BATCH_ROWS) {
      const turn = this.turns.shift();
      const queued = turn === undefined ? undefined : this.byTurn.get(turn);
      if (turn === undefined || queued === undefined) break;
      const taken = queued.jobs.splice(0, Math.min(share, STORE_BATCH_ROWS - batch.length));
      for (const job of taken) batch.push(job);
      this.countOf(queued.ownerId, -taken.length);
      if (queued.jobs.length > 0) this.turns.push(queued.ownerId, turn);
      else this.byTurn.delete(turn);
    }
    return batch;
  }

  private rest(tenantOrTurn: string, ms: number): void {
    const until = performance.now() + ms;
    if (ms > 0 && until > (this.restUntil.get(tenantOrTurn) ?? 0)) this.restUntil.set(tenantOrTurn, until);
  }

  private isResting(tenantOrTurn: string): boolean {
    const until = this.restUntil.get(tenantOrTurn);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.restUntil.delete(tenantOrTurn);
    return false;
  }

  private countOf(ownerId: string, change: number): void {
    this.count += change;
    const own = (this.byOwner.get(ownerId) ?? 0) + change;
    if (own > 0) this.byOwner.set(ownerId, own);
    else this.byOwner.delete(ownerId);
  }
}
