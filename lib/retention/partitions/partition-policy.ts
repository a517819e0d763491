import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/clock';
import { expiryCutoff, hasPeriodExpired } from '@/lib/retention/retention-policy';
import { type Branch, DAYS_AHEAD, type DayPartition, nameOfDay, type Period, utcDayOf } from './partitions';

/**
 * Whether a partition may be dropped: its last UTC day has expired entirely (docs/specification.md#retention). This includes
 * a wider partition that was created manually: it is dropped when its last day has expired.
 */
export function hasFullyExpired(period: Period, now: Date, daysKept: number): boolean {
  return period.from < period.to && hasPeriodExpired(utcDayOf(addMs(period.to, -1)), now, daysKept);
}

/** Returns the last instant whose entire UTC day has expired. */
export function fullDayCutoff(now: Date, daysKept: number): Date {
  return addMs(utcDayOf(expiryCutoff(now, daysKept)).from, -1);
}

/** Returns the parts of a period that no partition covers, in order. */
export function gapsOf(period: Period, existing: readonly Period[]): Period[] {
  let gaps = [period];
  for (const { from, to } of existing) {
    gaps = gaps.flatMap((gap) => {
      if (to <= gap.from || from >= gap.to) return [gap];
      const rests: Period[] = [
        { from: gap.from, to: from },
        { from: to, to: gap.to },
      ];
      return rests.filter((rest) => rest.from < rest.to);
    });
  }
  return gaps;
}

/**
 * Returns the partitions that a day, or a part of one, lacks. Usually it is one, with the day's name. Of several, the one
 * that reaches the end of the day has this name; the others have their start in it as well.
 */
export function missingPartitions(branch: Branch, part: Period, existing: readonly DayPartition[]): DayPartition[] {
  const name = nameOfDay(branch, part.from);
  const isTaken = existing.some(({ table }) => table === name);
  const endOfDay = utcDayOf(part.from).to;
  return gapsOf(part, existing).map((gap) => {
    if (+gap.to === +endOfDay && !isTaken) return { ...gap, table: name };
    return { ...gap, table: `${name}_${gap.from.toISOString().slice(11, 16).replace(':', '')}` };
  });
}

const QUIET_AFTER_MS = 10 * MINUTE_MS;

/**
 * Whether nobody writes rows of a period. Rows get the current time, from transactions that end within minutes. The days
 * ahead are not quiet, though nobody writes them yet: a killed process must not leave them closed.
 */
export function isQuiet({ from, to }: Period, now: Date): boolean {
  return to <= addMs(now, -QUIET_AFTER_MS) || from >= addMs(utcDayOf(now).to, DAYS_AHEAD * DAY_MS);
}
