import { SECOND_MS } from './clock';

/** About 100 bytes each, twice. */
const MAX_TENANTS = 20_000;
/** Who has used nothing for one to two of these periods is forgotten. */
const PERIOD_MS = 60 * SECOND_MS;
/**
 * Longer than many tenants take turns with jobs of some 100 ms. With a second, all that had waited for longer came before one that uses a
 * little each second.
 */
const HALF_LIFE_MS = 30 * SECOND_MS;

interface Use {
  /** What was used, halved with each half-life since. */
  sum: number;
  /** By performance.now(). */
  atMs: number;
}

function sumAt({ sum, atMs }: Use, nowMs: number): number {
  return sum === 0 ? 0 : sum * 0.5 ** ((nowMs - atMs) / HALF_LIFE_MS);
}

/** Knows which tenants were active within a minute or two, and what they have used while others waited. */
export class RecentUse {
  private active = new Map<string, Use>();
  private before = new Map<string, Use>();
  private sinceMs = performance.now();

  /** Counts what a tenant has used. */
  count(tenant: string, used: number): void {
    const nowMs = performance.now();
    const use = this.useOf(tenant, nowMs);
    use.sum = sumAt(use, nowMs) + used;
    use.atMs = nowMs;
  }

  /** Notes that a tenant is active. */
  note(tenant: string): void {
    this.useOf(tenant, performance.now());
  }

  /** Returns what a tenant has used in a second, on average: what it used half a minute ago counts half. Null for a newcomer. */
  perSecond(tenant: string): number | null {
    const use = this.active.get(tenant) ?? this.before.get(tenant);
    return use === undefined ? null : (sumAt(use, performance.now()) * Math.LN2 * SECOND_MS) / HALF_LIFE_MS;
  }

  private useOf(tenant: string, nowMs: number): Use {
    if (nowMs - this.sinceMs > PERIOD_MS || this.active.size >= MAX_TENANTS) {
      this.before = nowMs - this.sinceMs > 2 * PERIOD_MS ? new Map() : this.active;
      this.active = new Map();
      this.sinceMs = nowMs;
    }
    const known = this.active.get(tenant);
    if (known !== undefined) return known;
    const use = this.before.get(tenant) ?? { sum: 0, atMs: nowMs };
    this.active.set(tenant, use);
    return use;
  }
}
