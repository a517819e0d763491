import { showsUtc } from '@/components/ui/time-zone';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns a range of days as times for the API: from the start of the first day to the last millisecond of the last, in
 * the time zone that the reader prefers. Ignores an invalid day.
 */
export function dayRange(days: { from: string | undefined; to: string | undefined }) {
  return { from: timeOf(days.from, 'T00:00:00.000'), to: timeOf(days.to, 'T23:59:59.999') };
}

function timeOf(day: string | undefined, clock: string): string | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  // Without a zone it is parsed as local time.
  const time = new Date(day + clock + (showsUtc() ? 'Z' : ''));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
