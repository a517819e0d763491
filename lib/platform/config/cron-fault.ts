import { Cron } from 'croner';

/** Any past time does: without a field for years, a cron that fires after it fires for ever. */
const SOME_TIME = new Date(0);

/**
 * What is wrong with a cron of five fields, or six with seconds first; null when it is one that fires. Nicknames, years and dates
 * are refused: every place that shows a schedule counts on fields.
 */
export function findCronFault(text: string): string | null {
  const count = text.split(' ').length;
  if (count < 5 || count > 6) return 'must be a cron of five fields, or six with seconds first';
  try {
    const cron = new Cron(text, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' });
    return cron.nextRun(SOME_TIME) === null ? 'must be a cron that fires; no date is ever like this' : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return `must be a cron; ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  }
}
