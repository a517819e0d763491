/*
 * Dynamic thresholds (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998): what a
 * tenant may hold of something bounded depends on what is free. Alone it holds much; as others come, the shares become even;
 * and some always stays free, so a newcomer never waits for the others to let go. Nobody has to know who is active.
 */

/** What is held of something bounded: by all together, and by the one who wants more. */
export interface Usage {
  total: number;
  own: number;
}

/** How much more one may hold of `most`: never more than what then is free. n who want all get `most / (n + 1)` each. */
export function roomWithin(most: number, { total, own }: Usage): number {
  return Math.max(0, Math.floor((most - total - own) / 2));
}

/**
 * Whether one may take one more of `most`, where little has to stay free: what is taken comes back soon.
 * n who want all get `4 * most / (4 * n + 1)` each.
 */
export function mayTakeOne(most: number, { total, own }: Usage): boolean {
  return own < 4 * (most - total);
}
