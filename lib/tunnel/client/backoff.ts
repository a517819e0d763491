const [FIRST_MS, LONGEST_MS] = [250, 5_000];

/**
 * Returns the milliseconds to wait before the next attempt to connect: doubles each time, minus up to a quarter at random.
 */
export function backoffMs(failures: number, random = Math.random): number {
  const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(ms * (1 - random() / 4));
}
