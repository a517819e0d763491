import { isWithinShare, mayHaveFirst } from '@/lib/delivery/engine/dispatch/slot-policy';
import { STORE_BATCH_ROWS } from '@/lib/delivery/engine/record/store-deliveries';
import type { LeasedDelivery } from '@/lib/delivery/engine/types';
import { isAlone, Pace } from '@/lib/platform/pace';
import { RoundRobin } from '@/lib/platform/round-robin';

/**
 * Owners share this many deliveries: each may have as many as are left, and n of them have `MAX_QUEUED / (n + 1)` each. Beyond that no
 * more outbox rows are taken for an owner. The last event may exceed it.
 */
const MAX_QUEUED = 10_000;
/** Rows of an owner without queued deliveries are taken up to this number, about 25 MB. Most have few deliveries, which need not be stored. */
const MAX_QUEUED_WITH_FIRST = 100_000;
/** Deliveries that are stored for an owner while the worker works for others too. An event to endpoints that hang makes hundreds of them. */
const STORED = { perSecond: 2_000, burst: MAX_QUEUED };

/** Deliveries that must be stored before they are sent. Owners take turns, and so do the projects of an owner. */
export class StoreQueue {
  private readonly byProject = new Map<string, { ownerId: string; jobs: LeasedDelivery[] }>();
  private readonly byOwner = new Map<string, number>();
  private readonly turns = new RoundRobin<string>();
  private readonly pace = new Pace(STORED, isAlone);
  /** When owners may queue more, by performance.now(). */
  private readonly restUntil = new Map<string, number>();
  private count = 0;

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(private readonly ownerOf: (projectId: string) => string) {}

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Whether a project has queued deliveries: no more of its rows may be taken. */
  has(projectId: string): boolean {
    return this.byProject.has(projectId);
  }

  /** Whether rows may be taken for an owner, who has not yet queued all that it may. */
  hasRoomFor(ownerId: string): boolean {
    if (performance.now() < (this.restUntil.get(ownerId) ?? 0)) return false;
    this.restUntil.delete(ownerId);
    const usage = { total: this.count, own: this.byOwner.get(ownerId) ?? 0 };
    return isWithinShare(MAX_QUEUED, usage, 1) || mayHaveFirst(MAX_QUEUED_WITH_FIRST, usage);
  }

  /** In how many milliseconds an owner may queue more who may not now; null if there is none. */
  nextRoomInMs(): number | null {
    const now = performance.now();
    let soonest: number | null = null;
    for (const [ownerId, until] of this.restUntil) {
      if (until <= now) this.restUntil.delete(ownerId);
      soonest = Math.min(soonest ?? Number.POSITIVE_INFINITY, Math.max(0, until - now));
    }
    return soonest;
  }

  add(projectId: string, jobs: readonly LeasedDelivery[]): void {
    if (jobs.length === 0) return;
    const queued = this.byProject.get(projectId);
    const ownerId = queued?.ownerId ?? this.ownerOf(projectId);
    this.countOf(ownerId, jobs.length);
    const restMs = this.pace.restAfter(ownerId, jobs.length);
    if (restMs > 0) this.restUntil.set(ownerId, performance.now() + restMs);
    if (queued !== undefined) {
      for (const job of jobs) queued.jobs.push(job);
      return;
    }
    this.byProject.set(projectId, { ownerId, jobs: [...jobs] });
    this.turns.push(ownerId, projectId);
  }

  /** Takes the next batch. Owners share it evenly, so that the few deliveries of one do not wait for a batch of each other. */
  nextBatch(): LeasedDelivery[] {
    const batch: LeasedDelivery[] = [];
    const share = Math.max(1, Math.floor(STORE_BATCH_ROWS / Math.max(1, this.byOwner.size)));
    while (batch.length < STORE_BATCH_ROWS) {
      const projectId = this.turns.shift();
      const queued = projectId === undefined ? undefined : this.byProject.get(projectId);
      if (projectId === undefined || queued === undefined) break;
      const taken = queued.jobs.splice(0, Math.min(share, STORE_BATCH_ROWS - batch.length));
      for (const job of taken) batch.push(job);
      this.countOf(queued.ownerId, -taken.length);
      if (queued.jobs.length > 0) this.turns.push(queued.ownerId, projectId);
      else this.byProject.delete(projectId);
    }
    return batch;
  }

  private countOf(ownerId: string, change: number): void {
    this.count += change;
    const own = (this.byOwner.get(ownerId) ?? 0) + change;
    if (own > 0) this.byOwner.set(ownerId, own);
    else this.byOwner.delete(ownerId);
  }
}
