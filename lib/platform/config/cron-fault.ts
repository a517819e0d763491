import { Cron } from 'croner';

/** Any past time works: without a year field, a cron that fires once fires every year. */
const SOME_TIME = new Date(0);

/**
 * Returns why a cron is invalid; null if it has five fields, or six with seconds first, and fires. Nicknames, years and
 * dates are refused: code that shows schedules relies on fields.
 */
export function findCronFault(text: string): string | null {
  const count = text.split(' ').length;
  if (count < 5 || count > 6) return 'must be a cron of five fields, or six with seconds first';
  try {
    const cron = new Cron(text, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' });
    return cron.nextRun(SOME_TIME) === null ? 'must be a cron that fires; no date matches this one' : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return `must be a cron; ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  }
}
