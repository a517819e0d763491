import { SECOND_MS } from './clock';

const LEAST_ADVANCE_MS = 1;

/** How many units, such as frames or bytes, all owners may use together. */
export interface RateLimits {
  perSecond: number;
  /** Units that an owner may use at once before it has to wait. */
  atOnce: number;
  /** The most that an owner can owe while it is the only one. */
  mostOwed: number;
}

/**
 * Bounds what all owners use in each second, and shares it equally: a fair queue by virtual time. Each unit of an owner gets the next
 * place of that owner on a common scale. The position on the scale moves at the rate divided by the number of owners that are ahead of
 * it. So a single owner has the whole rate, five have a fifth each, and an owner that uses less than its share never waits.
 */
export class SharedRate {
  /** The position on the scale, and when it was reached, by performance.now(). */
  private place = 0;
  private atMs = performance.now();
  /** The last place of each owner that is ahead of the position. */
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
    // Searching for the next owner at every unit would take as long as the unit itself.
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
