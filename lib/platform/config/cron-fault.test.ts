import { describe, expect, it } from 'vitest';
import { findCronFault } from './variable-types';

describe('a cron', () => {
  it.each(['0 2 * * *', '*/30 * * * *', '* * * * * *', '0 0 29 2 *', '15 10 * JAN-MAR MON-FRI', '0 0 L * *'])(
    '%s is taken',
    (cron) => {
      expect(findCronFault(cron)).toBeNull();
    },
  );

  it.each([
    ['99 2 * * *', 'must be a cron; invalid value for minute: 99'],
    ['* * * *', 'must be a cron of five fields, or six with seconds first'],
    ['0 0 1 1 * * 2030', 'must be a cron of five fields, or six with seconds first'],
    ['@daily', 'must be a cron of five fields, or six with seconds first'],
    ['a b c d e', 'must be a cron; '],
    ['5/15 * * * *', 'must be a cron; '],
  ])('%s is refused with the reason', (cron, fault) => {
    expect(findCronFault(cron)).toContain(fault);
  });

  it.each(['0 0 30 2 *', '0 0 0 31 2,4 *'])('%s is refused because it never fires', (cron) => {
    expect(findCronFault(cron)).toBe('must be a cron that fires; no date matches this one');
  });
});
