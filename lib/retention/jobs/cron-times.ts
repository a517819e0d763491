import { Cron } from 'croner';

/** First time after `after` at which a cron (five fields, or six with seconds first, in UTC) fires; null: never again. */
export function nextRunAt(cron: string, after: Date): Date | null {
  return new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' }).nextRun(after);
}
