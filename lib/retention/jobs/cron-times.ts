import { Cron } from 'croner';

/** Returns the first time after `after` at which a cron fires; null: never again. Five fields, or six with seconds first, in UTC. */
export function nextRunAt(cron: string, after: Date): Date | null {
  return new Cron(cron, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' }).nextRun(after);
}
