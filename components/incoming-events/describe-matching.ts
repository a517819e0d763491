/** Names the loaded events that a replay covers: "12 matching", or "50+ matching" when there are more. */
export function describeMatching(count: number, hasMore: boolean): string {
  return `${count.toLocaleString('en-GB')}${hasMore ? '+' : ''} matching`;
}

/** Returns the progress of a replay, from 0 to 100. A replay of nothing is complete. */
export function percentOf({ replayed, total }: { replayed: number; total: number }): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((replayed / total) * 100));
}
