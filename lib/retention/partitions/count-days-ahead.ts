import { DAY_MS } from '@/lib/platform/clock';
import { listDays } from './list-partitions';
import { BRANCHES, type Period, utcDayOf } from './partitions';

/** Counts the days after today with a partition in every branch. Later rows fall into a default partition. */
export async function countDaysAhead(now: Date): Promise<number> {
  const listed = await Promise.all(BRANCHES.map((branch) => listDays(branch)));
  return Math.min(...listed.map((periods) => daysWithoutGap(periods, now)));
}

/** Counts the days that periods, earliest first, cover without a gap after the UTC day of `now`. */
export function daysWithoutGap(periods: readonly Period[], now: Date): number {
  const tomorrow = utcDayOf(now).to.getTime();
  let until = tomorrow;
  for (const { from, to } of periods) {
    if (from.getTime() <= until) until = Math.max(until, to.getTime());
  }
  return Math.floor((until - tomorrow) / DAY_MS);
}
