import { DAY_MS } from '@/lib/platform/clock';
import { listDays } from './list-partitions';
import { BRANCHES, type Period, utcDayOf } from './partitions';

/** Whole days after today that have a partition in every branch: after them rows fall into a default partition. */
export async function countDaysAhead(now: Date): Promise<number> {
  const listed = await Promise.all(BRANCHES.map((branch) => listDays(branch)));
  return Math.min(...listed.map((periods) => daysWithoutGap(periods, now)));
}

/** How far periods, the earliest first, reach beyond the UTC day of `now`, one after the other without a gap. */
export function daysWithoutGap(periods: readonly Period[], now: Date): number {
  const tomorrow = utcDayOf(now).to.getTime();
  let until = tomorrow;
  for (const { from, to } of periods) {
    if (from.getTime() <= until) until = Math.max(until, to.getTime());
  }
  return Math.floor((until - tomorrow) / DAY_MS);
}
