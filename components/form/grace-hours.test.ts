import { expect, it } from 'vitest';
import { graceHoursOf } from './grace-hours';

it.each([
  ['0', '', 0],
  ['24', '5', 24],
  ['custom', '36', 36],
  ['custom', ' 8760 ', 8760],
  ['custom', '8761', null],
  ['custom', '', null],
  ['custom', '1.5', null],
  ['custom', '-1', null],
  ['custom', '1e3', null],
] as const)('a grace period of %s, with %j typed, is %s hours', (grace, graceHours, hours) => {
  expect(graceHoursOf({ grace, graceHours }, 8760)).toBe(hours);
});
