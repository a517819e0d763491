/*
 * Dynamic thresholds (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998): how much of
 * a bounded resource a tenant may use depends on how much is free. A tenant alone may use most of it. With several tenants the
 * shares become even. Some of it always stays free, so a new tenant need not wait for others. No count of active tenants is needed.
 */

/** How much of a bounded resource is used: by all tenants, and by the one that wants more. */
export interface Usage {
  total: number;
  own: number;
}

/** Returns how much more of `most` a tenant may use: no more than stays free. n tenants get `most / (n + 1)` each. */
export function remainingShare(most: number, { total, own }: Usage): number {
  return Math.max(0, Math.floor((most - total - own) / 2));
}

/**
 * Whether a tenant may use one more of `most`. For resources that are soon free again, so little must stay free: n tenants get
 * `4 * most / (4 * n + 1)` each.
 */
export function isWithinShare(most: number, { total, own }: Usage): boolean {
  return own < 4 * (most - total);
}
