const STEPS = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650, 7300, 14_600] as const;
const MAX_TICKS = 4;

/** Returns the position of a day in percent: 0 for the oldest shown day, 100 for today. */
export function positionPercent(daysAgo: number, maxDays: number): number {
  return 100 - (Math.min(Math.max(daysAgo, 0), maxDays) / maxDays) * 100;
}

/** Returns round numbers of days ago for the axis: at most three, without today and the oldest day. */
export function ticksOf(maxDays: number): number[] {
  const step = STEPS.find((candidate) => maxDays / candidate <= MAX_TICKS) ?? maxDays;
  const count = Math.ceil(maxDays / step) - 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => (index + 1) * step);
}
