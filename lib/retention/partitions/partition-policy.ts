import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/clock';
import { expiredUntil, hasPeriodExpired } from '@/lib/retention/retention-policy';
import { type Branch, DAYS_AHEAD, type DayPartition, nameOfDay, type Period, utcDayOf } from './partitions';

/**
 * Whether a partition may be dropped: the last UTC day that it holds rows of has expired as a whole (CONTRACT 10). That of a
 * wider partition too, which somebody else made: it leaves with its last day.
 */
export function hasWhollyExpired(period: Period, now: Date, daysKept: number): boolean {
  return period.from < period.to && hasPeriodExpired(utcDayOf(addMs(period.to, -1)), now, daysKept);
}

/** The last instant whose whole UTC day has expired. */
export function wholeDaysExpiredUntil(now: Date, daysKept: number): Date {
  return addMs(utcDayOf(expiredUntil(now, daysKept)).from, -1);
}

/** What of a period no partition covers, in order. */
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
 * The partitions that a day, or a part of one, still lacks. As a rule it is one, of the day's name; of several the one that
 * reaches the day's end has it, the others their start as well.
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
 * Whether nobody writes rows of a period: they are made with the present time, by transactions that end within minutes. The
 * days ahead are not quiet, though nobody writes them yet: a process that is killed must not leave them closed.
 */
export function isQuiet({ from, to }: Period, now: Date): boolean {
  return to <= addMs(now, -QUIET_AFTER_MS) || from >= addMs(utcDayOf(now).to, DAYS_AHEAD * DAY_MS);
}
