import { addMs, DAY_MS } from '@/lib/platform/clock';
import { nextRunAt } from '@/lib/retention/jobs/cron-times';
import type { RetentionRule } from './schema';

/** When a row that was made at `createdAt` expires by a rule of days: by the day, when its whole UTC day has (CONTRACT 10). */
export function expiryOf(createdAt: Date, { days, leavesByDay }: Pick<RetentionRule, 'days' | 'leavesByDay'>): Date {
  const from = leavesByDay ? Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS + DAY_MS : createdAt.getTime();
  return new Date(from + (days ?? 0) * DAY_MS);
}

/** The first run, of any of the crons, that starts at `at` or later; null: never again. */
export function firstRunFrom(crons: readonly string[], at: Date): Date | null {
  // A run at the very instant of an expiry takes the row, and crons look strictly after.
  const runs = crons.map((cron) => nextRunAt(cron, addMs(at, -1))).filter((run) => run !== null);
  return runs.reduce<Date | null>((first, run) => (first === null || run < first ? run : first), null);
}
