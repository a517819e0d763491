/** Numbers from 0 (inclusive) to 1, the same for the same seed. */
export type Random = () => number;

/** Makes a generator of numbers (mulberry32): the history of the demo is the same each time. */
export function makeRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** Returns so many hexadecimal digits. */
export function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
}

/** Returns a whole number from `from` to `to`, small ones more often, as durations are. */
export function skewed(random: Random, from: number, to: number): number {
  return Math.round(from + (to - from) * random() ** 3);
}
