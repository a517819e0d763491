import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { expiryCutoff, hasPeriodExpired, type RetentionPolicy } from '@/lib/retention/retention-policy';

/** Rows of a partitioned table that are kept by UTC day for the same time: all of them, or the attempts of one outcome. */
export interface Branch {
  table: 'delivery_attempts' | 'tunnel_request_log';
  name: 'delivery_attempts_succeeded' | 'delivery_attempts_failed' | 'tunnel_request_log';
  /** Whether its attempts succeeded: the first value of the bounds of its partitions. Null for a table partitioned by day alone. */
  succeeded: boolean | null;
  /** SQL of the condition that its rows meet. */
  condition: string;
  /** Start of the names of its days. */
  prefix: string;
  /** The partition of its table for rows that no other one covers. The branches of a table share it. */
  defaultTable: string;
  daysKept(policy: RetentionPolicy): number;
}

const branch = (
  table: Branch['table'],
  name: Branch['name'],
  succeeded: boolean | null,
  daysKept: (policy: RetentionPolicy) => number,
): Branch => ({
  table,
  name,
  succeeded,
  condition: succeeded === null ? 'true' : succeeded ? 'succeeded' : 'NOT succeeded',
  prefix: `${name}_p`,
  defaultTable: `${table}_default`,
  daysKept,
});

/** Every branch. Successful and failed attempts are apart, since they are kept for different times. */
export const BRANCHES: readonly Branch[] = [
  branch('delivery_attempts', 'delivery_attempts_succeeded', true, (policy) => policy.succeededAttemptsDays),
  branch('delivery_attempts', 'delivery_attempts_failed', false, (policy) => policy.failedAttemptsDays),
  branch('tunnel_request_log', 'tunnel_request_log', null, (policy) => policy.tunnelLogDays),
];

/** Returns the branch of a name. */
export function branchOf(name: Branch['name']): Branch {
  const found = BRANCHES.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no branch ${name}`);
  return found;
}

/** Makes something for each branch, such as a statement, by its name. */
export const forEachBranch = <T>(make: (branch: Branch) => T): Record<Branch['name'], T> =>
  Object.fromEntries(BRANCHES.map((each) => [each.name, make(each)])) as Record<Branch['name'], T>;

/** Days created beyond today. So nothing falls into the default partition while retention is down for a week. */
export const DAYS_AHEAD = 8;

/** `from` inclusive, `to` exclusive. */
export interface Period {
  from: Date;
  to: Date;
}

/** A partition of a branch: a UTC day or a part of one. */
export interface DayPartition extends Period {
  table: string;
}

/** Returns the UTC day of an instant. */
export function utcDayOf(at: Date): Period {
  const from = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  return { from, to: addMs(from, DAY_MS) };
}

/** Returns today and the days ahead, which should have partitions. */
export function daysAhead(at: Date): Period[] {
  return Array.from({ length: DAYS_AHEAD + 1 }, (_, day) => utcDayOf(addMs(at, day * DAY_MS)));
}

/** Returns the name of the partition for the UTC day of `at`. */
export function nameOfDay(of: Branch, at: Date): string {
  return of.prefix + at.toISOString().slice(0, 10).replaceAll('-', '');
}

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
/** Far longer than a default partition refuses the rows of a period. */
const QUIET_BEFORE_MS = HOUR_MS;

/** Whether rows of a period may be written now or soon. They get the current time, from transactions that end within minutes. */
export function isBeingWritten({ from, to }: Period, now: Date): boolean {
  return to > addMs(now, -QUIET_AFTER_MS) && from < addMs(now, QUIET_BEFORE_MS);
}
