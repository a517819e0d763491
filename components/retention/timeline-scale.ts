const STEPS = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650, 7300, 14_600] as const;
const MAX_TICKS = 4;

/** Where a day lies between the oldest that is shown, 0, and today, 100. */
export function positionPercent(daysAgo: number, maxDays: number): number {
  return 100 - (Math.min(Math.max(daysAgo, 0), maxDays) / maxDays) * 100;
}

/** Round numbers of days ago for the axis: four at most, today and the oldest left out. */
export function ticksOf(maxDays: number): number[] {
  const step = STEPS.find((candidate) => maxDays / candidate <= MAX_TICKS) ?? maxDays;
  const count = Math.ceil(maxDays / step) - 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => (index + 1) * step);
}
