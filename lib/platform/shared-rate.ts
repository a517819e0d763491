import { SECOND_MS } from './clock';

const LEAST_ADVANCE_MS = 1;

/** What all owners use together, such as frames or bytes. */
export interface RateLimits {
  /** In each second. */
  perSecond: number;
  /** Of an owner, before it owes any. */
  atOnce: number;
  /** What an owner may owe while it is the only one. */
  mostOwed: number;
}

/**
 * Bounds what all owners use in each second.
 *
 * Owners share it in turns: each unit of an owner is due at a place in a common order, after its last one, and the order goes on by as
 * many units a second as the rate has for each owner that is not through. So one alone has all of it, five have a fifth each, and
 * whoever uses less than its share never waits.
 */
export class SharedRate {
  /** The place in the order that is through, and when it was, by performance.now(). */
  private place = 0;
  private atMs = performance.now();
  /** The last place of each owner that is not through. */
  private readonly lastPlaces = new Map<string, number>();

  constructor(private readonly limits: RateLimits) {}

  /** Counts units of an owner. @returns `owedMs` */
  count(ownerId: string, units: number): number {
    this.advance();
    const { atOnce, mostOwed } = this.limits;
    const last = (this.lastPlaces.get(ownerId) ?? this.place) + units;
    const owners = this.lastPlaces.size + (this.lastPlaces.has(ownerId) ? 0 : 1);
    this.lastPlaces.set(ownerId, Math.min(last, this.place + atOnce + mostOwed / owners));
    return this.owedMs(ownerId);
  }

  /** In how many milliseconds an owner may use more, while no other owner begins to. */
  owedMs(ownerId: string): number {
    this.advance();
    const { perSecond, atOnce } = this.limits;
    const owed = (this.lastPlaces.get(ownerId) ?? this.place) - this.place - atOnce;
    return (Math.max(0, owed) * this.lastPlaces.size * SECOND_MS) / perSecond;
  }

  private advance(): void {
    const nowMs = performance.now();
    // To look for the next owner at each unit would take as long as the unit.
    if (nowMs - this.atMs < LEAST_ADVANCE_MS) return;
    let units = ((nowMs - this.atMs) * this.limits.perSecond) / SECOND_MS;
    this.atMs = nowMs;
    while (this.lastPlaces.size > 0) {
      const owners = this.lastPlaces.size;
      const next = Math.min(...this.lastPlaces.values());
      const needed = (next - this.place) * owners;
      if (needed > units) {
        this.place += units / owners;
        return;
      }
      units -= needed;
      this.place = next;
      for (const [owner, last] of this.lastPlaces) if (last <= next) this.lastPlaces.delete(owner);
    }
  }
}
