import { expect, it } from 'vitest';
import { describeCron } from './cron-text';

it.each([
  ['0 2 * * *', 'Daily at 02:00 UTC'],
  ['30 14 * * *', 'Daily at 14:30 UTC'],
  ['* * * * *', 'Every minute'],
  ['*/30 * * * *', 'Every 30 minutes'],
  ['0 * * * *', 'Every hour'],
  ['15 * * * *', 'Every hour at minute 15'],
  ['0 */4 * * *', 'Every 4 hours'],
  ['0 */1 * * *', 'Every hour'],
  ['10 */6 * * *', 'Every 6 hours at minute 10'],
  ['0 3 * * 0', 'Sundays at 03:00 UTC'],
  ['0 3 * * 7', 'Sundays at 03:00 UTC'],
  ['5 4 * * 1', 'Mondays at 04:05 UTC'],
])('describes %s as %s', (cron, text) => {
  expect(describeCron(cron)).toBe(text);
});

it.each([
  ['an interval that the hour does not divide into', '*/7 * * * *'],
  ['an interval that the day does not divide into', '0 */5 * * *'],
  ['a list', '0 2,14 * * *'],
  ['a range of days', '0 2 * * 1-5'],
  ['a day of the month', '0 2 1 * *'],
  ['a month', '0 2 * 3 *'],
  ['seconds', '0 0 2 * * *'],
  ['a nickname', '@daily'],
  ['times that no clock shows', '75 31 * * *'],
  ['an interval of zero', '*/0 * * * *'],
])('returns null for %s, which is shown as it is', (_what, cron) => {
  expect(describeCron(cron)).toBeNull();
});
