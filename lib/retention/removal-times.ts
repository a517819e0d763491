import { addMs, DAY_MS } from '@/lib/platform/clock';
import { nextRunAt } from '@/lib/retention/jobs/cron-times';
import type { RetentionRule } from './schema';

/** Returns when a row expires by a rule of days. A row that is removed by day expires when its entire UTC day has. */
export function expiryOf(createdAt: Date, { days, leavesByDay }: Pick<RetentionRule, 'days' | 'leavesByDay'>): Date {
  const from = leavesByDay ? Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS + DAY_MS : createdAt.getTime();
  return new Date(from + (days ?? 0) * DAY_MS);
}

/** Returns the first run, by any of the crons, that starts at `at` or later; null: never again. */
export function firstRunFrom(crons: readonly string[], at: Date): Date | null {
  // A run at the instant of expiry removes the row, and nextRunAt looks strictly after its time.
  const runs = crons.map((cron) => nextRunAt(cron, addMs(at, -1))).filter((run) => run !== null);
  return runs.reduce<Date | null>((first, run) => (first === null || run < first ? run : first), null);
}
