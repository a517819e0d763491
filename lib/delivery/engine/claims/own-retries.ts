import { equalShare } from '@/lib/delivery/engine/dispatch/slot-policy';

/**
 * Retries that owners share, about 200 bytes each. Shares shrink as owners come, and nothing is dropped: n owners have `10,000 * ln(n)` at
 * most, 100,000 for 20,000 of them. A poll finds the others.
 */
const MAX_RETRIES = 10_000;
/** Retries of a target within this time are one: a claim gets all that are due. */
const TICK_MS = 50;

interface RetriedTarget {
  targetId: string;
  projectId: string;
}

/**
 * The retries that this worker has recorded, and when they are due. A poll sees the oldest and the newest due deliveries, and the
 * search through all targets looks at 5,000 a second: while 99,000 targets of others had pending deliveries, some of which became due
 * all the time, a retry was found after 20 seconds.
 */
export class OwnRetries {
  /** By the time of the tick at whose end they are due, and by target. */
  private readonly byTick = new Map<number, Map<string, RetriedTarget & { ownerId: string }>>();
  private readonly byOwner = new Map<string, number>();
  private soonestMs = Number.POSITIVE_INFINITY;

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(private readonly ownerOf: (projectId: string) => string) {}

  add({ targetId, projectId }: RetriedTarget, inMs: number, nowMs = performance.now()): void {
    const ownerId = this.ownerOf(projectId);
    const own = this.byOwner.get(ownerId) ?? 0;
    if (own >= equalShare(MAX_RETRIES, this.byOwner.size)) return;
    const tickMs = Math.ceil((nowMs + inMs) / TICK_MS) * TICK_MS;
    const ofTick = this.byTick.get(tickMs) ?? new Map();
    if (ofTick.has(targetId)) return;
    this.byTick.set(tickMs, ofTick.set(targetId, { targetId, projectId, ownerId }));
    this.byOwner.set(ownerId, own + 1);
    this.soonestMs = Math.min(this.soonestMs, tickMs);
  }

  /** In how many milliseconds the next one is due; null without any. */
  nextInMs(nowMs = performance.now()): number | null {
    return Number.isFinite(this.soonestMs) ? Math.max(0, this.soonestMs - nowMs) : null;
  }

  /** Removes the targets whose retries are due, and returns them. */
  takeDue(nowMs = performance.now()): RetriedTarget[] {
    if (nowMs < this.soonestMs) return [];
    const due: RetriedTarget[] = [];
    this.soonestMs = Number.POSITIVE_INFINITY;
    for (const [tickMs, ofTick] of this.byTick) {
      if (tickMs > nowMs) {
        this.soonestMs = Math.min(this.soonestMs, tickMs);
        continue;
      }
      this.byTick.delete(tickMs);
      for (const { ownerId, ...target } of ofTick.values()) {
        due.push(target);
        const left = (this.byOwner.get(ownerId) ?? 1) - 1;
        if (left > 0) this.byOwner.set(ownerId, left);
        else this.byOwner.delete(ownerId);
      }
    }
    return due;
  }
}
