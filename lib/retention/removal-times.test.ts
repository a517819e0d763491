import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { expiryOf, firstRunFrom } from './removal-times';
import { expiryCutoff, hasPeriodExpired } from './retention-policy';

const at = (text: string) => new Date(text);

describe('expiryOf', () => {
  it('adds the days where rows are removed one by one', () => {
    const rule = { days: 14, leavesByDay: false };
    expect(expiryOf(at('2028-02-20T10:00:00.001Z'), rule)).toEqual(at('2028-03-05T10:00:00.001Z'));
  });

  it('adds the days to the end of the UTC day where rows are removed by day', () => {
    const rule = { days: 14, leavesByDay: true };
    expect(expiryOf(at('2028-02-20T00:00:00.000Z'), rule)).toEqual(at('2028-03-06T00:00:00.000Z'));
    expect(expiryOf(at('2028-02-20T23:59:59.999Z'), rule)).toEqual(at('2028-03-06T00:00:00.000Z'));
  });

  it('is the first instant at which the policy removes the row', () => {
    const times = fc.date({ min: at('2020-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 400 }), (createdAt, days) => {
        const exact = expiryOf(createdAt, { days, leavesByDay: false });
        expect(expiryCutoff(exact, days) >= createdAt).toBe(true);
        expect(expiryCutoff(addMs(exact, -1), days) >= createdAt).toBe(false);
        const expiry = expiryOf(createdAt, { days, leavesByDay: true });
        const to = new Date(Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS + DAY_MS);
        expect(hasPeriodExpired({ to }, expiry, days)).toBe(true);
        expect(hasPeriodExpired({ to }, addMs(expiry, -1), days)).toBe(false);
      }),
    );
  });
});

describe('firstRunFrom', () => {
  it('is the earliest of all crons, the given time included', () => {
    const crons = ['0 2 * * *', '0 */4 * * *'];
    expect(firstRunFrom(crons, at('2026-11-21T00:30:00Z'))).toEqual(at('2026-11-21T02:00:00Z'));
    expect(firstRunFrom(crons, at('2026-11-21T02:00:00Z'))).toEqual(at('2026-11-21T02:00:00Z'));
    expect(firstRunFrom(crons, at('2026-11-21T02:00:01Z'))).toEqual(at('2026-11-21T04:00:00Z'));
  });

  it('is null when no cron fires again', () => {
    expect(firstRunFrom([], at('2026-11-21T00:00:00Z'))).toBeNull();
  });
});
