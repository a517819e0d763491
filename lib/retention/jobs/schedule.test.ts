import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { type Config, parseConfig } from '@/lib/platform/config/config';
import { expiryOf } from '@/lib/retention/list-rules';
import { expiryCutoff, hasPeriodExpired } from '@/lib/retention/retention-policy';
import type { RetentionJob } from './job-run';
import { watchForStop } from './run-job';
import { dueAt, firstRunFrom, nextFiring, nextRunAt, type ScheduleState } from './schedule';

const next = (cron: string, after: string) => nextRunAt(cron, new Date(after))?.toISOString() ?? null;

describe('nextRunAt', () => {
  it("is in UTC, even in an hour that the machine's clock skips", () => {
    expect(next('30 2 * * *', '2026-03-29T00:00:00Z')).toBe('2026-03-29T02:30:00.000Z');
    expect(next('30 2 * * *', '2026-03-29T02:30:00Z')).toBe('2026-03-30T02:30:00.000Z');
  });

  it('returns the following firing at the time of a firing', () => {
    expect(next('0 2 * * *', '2026-02-27T02:00:00Z')).toBe('2026-02-28T02:00:00.000Z');
    expect(next('0 2 * * *', '2026-02-27T01:59:59.999Z')).toBe('2026-02-27T02:00:00.000Z');
  });

  it('reads six fields to the second', () => {
    expect(next('*/5 * * * * *', '2026-02-27T23:59:57.200Z')).toBe('2026-02-28T00:00:00.000Z');
  });

  it('goes from leap day to leap day', () => {
    expect(next('0 0 29 2 *', '2026-02-28T12:00:00Z')).toBe('2028-02-29T00:00:00.000Z');
  });

  it('skips no firing from any moment', () => {
    const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    const periods = fc.constantFrom<[string, number]>(
      ['0 0 * * *', DAY_MS],
      ['*/30 * * * *', 30 * MINUTE_MS],
      ['0 */4 * * *', 240 * MINUTE_MS],
    );
    fc.assert(
      fc.property(periods, times, ([cron, periodMs], after) => {
        const first = addMs(after, periodMs - (after.getTime() % periodMs));
        expect(nextRunAt(cron, after)).toEqual(first);
      }),
    );
  });
});

const defaults = parseConfig({});
const NOW = '2026-03-10T12:10:00Z';

/** The jobs that are due at a time, given when the last good run of each began. */
function listDue(now: string, lastGood: Partial<Record<RetentionJob, string>>, config: Config = defaults) {
  const state: ScheduleState = {
    now: new Date(now),
    lastGood: Object.fromEntries(Object.entries(lastGood).map(([job, at]) => [job, new Date(at)])),
  };
  return (['main', 'cap', 'burst', 'metrics', 'partitions'] as const).filter((job) => {
    const due = dueAt(job, state, config);
    return due !== null && due.getTime() <= state.now.getTime();
  });
}

const upToDate = {
  main: '2026-03-10T02:00:00Z',
  cap: '2026-03-10T12:00:00Z',
  burst: '2026-03-10T12:00:00Z',
  metrics: '2026-03-10T12:00:00Z',
  partitions: '2026-03-10T12:00:00Z',
};

describe('a job is due', () => {
  it('when it never ran: main is due at once, and burst is not due with it', () => {
    expect(listDue(NOW, {})).toEqual(['main', 'cap', 'metrics', 'partitions']);
  });

  it('not after a run that followed its last firing', () => {
    expect(listDue(NOW, upToDate)).toEqual([]);
  });

  it('from the moment of its firing, once', () => {
    expect(listDue('2026-03-11T01:59:59.999Z', { ...upToDate, cap: NOW, burst: '2026-03-11T01:00:00Z' })).not.toContain(
      'main',
    );
    expect(listDue('2026-03-11T02:00:00Z', upToDate)).toContain('main');
    expect(listDue('2026-03-11T02:00:00Z', { ...upToDate, main: '2026-03-11T02:00:00Z' })).not.toContain('main');
  });

  it('once when its firing was missed, however long ago', () => {
    expect(listDue(NOW, { ...upToDate, main: '2026-02-01T02:00:00Z' })).toEqual(['main']);
    expect(listDue(NOW, { ...upToDate, cap: '2026-03-10T11:30:00Z' })).toEqual(['cap']);
  });

  it('despite a manual run before its firing, but not after one that followed it', () => {
    expect(listDue(NOW, { ...upToDate, main: '2026-03-10T01:59:59Z' })).toEqual(['main']);
    expect(listDue(NOW, { ...upToDate, main: '2026-03-10T09:00:00Z' })).toEqual([]);
  });
});

describe('a burst is due', () => {
  const missedBurst = { ...upToDate, burst: '2026-03-10T08:00:00Z' };

  it('after its firing, unless main ran since', () => {
    expect(listDue(NOW, missedBurst)).toEqual(['burst']);
    expect(listDue(NOW, { ...missedBurst, main: '2026-03-10T12:05:00Z' })).toEqual([]);
  });

  it('never while main is due, which includes it', () => {
    const crons = fc.constantFrom('0 2 * * *', '0 */4 * * *', '*/7 * * * *', '0 0 1 * *');
    const ages = fc.option(fc.integer({ min: 0, max: 60 * 24 * 60 }), { nil: undefined });
    fc.assert(
      fc.property(crons, crons, ages, ages, (main, burst, mainAge, burstAge) => {
        const config = parseConfig({ DATA_RETENTION_CRON: main, DATA_RETENTION_BURST_CLEANUP_CRON: burst });
        const at = (age: number | undefined) =>
          age === undefined ? undefined : addMs(new Date(NOW), -age * MINUTE_MS).toISOString();
        const lastGood = { main: at(mainAge), burst: at(burstAge) };
        const known = Object.fromEntries(Object.entries(lastGood).filter(([, time]) => time !== undefined));
        const due = listDue(NOW, known as Record<string, string>, config);
        expect(due.includes('main') && due.includes('burst')).toBe(false);
      }),
    );
  });
});

describe('a job with an interval', () => {
  it('is due when the interval has passed since its last successful run', () => {
    const config = parseConfig({ DATA_RETENTION_TABLE_METRICS_INTERVAL_MS: '60000' });
    const now = (ms: number) => addMs(new Date(upToDate.metrics), ms).toISOString();
    expect(listDue(now(59_999), upToDate, config)).toEqual([]);
    expect(listDue(now(60_000), upToDate, config)).toEqual(['metrics']);
    const others = { ...upToDate, main: now(0), cap: now(HOUR_MS), metrics: now(HOUR_MS) };
    expect(listDue(now(HOUR_MS - 1), others)).toEqual([]);
    expect(listDue(now(HOUR_MS), others)).toEqual(['partitions']);
  });

  it('is never due for partitions while PARTITION_MAINTENANCE_ENABLED is false', () => {
    const config = parseConfig({ PARTITION_MAINTENANCE_ENABLED: 'false' });
    expect(dueAt('partitions', { now: new Date(NOW), lastGood: {} }, config)).toBeNull();
    expect(listDue(NOW, {}, config)).toEqual(['main', 'cap', 'metrics']);
  });
});

describe('the firing after a run that failed', () => {
  it.each([
    ['main', '2026-03-11T02:00:00.000Z'],
    ['cap', '2026-03-10T12:30:00.000Z'],
    ['burst', '2026-03-10T16:00:00.000Z'],
    ['metrics', '2026-03-10T12:25:00.000Z'],
    ['partitions', '2026-03-10T13:10:00.000Z'],
  ] as const)('of %s is later than now, so that it is not retried endlessly', (job, next) => {
    expect(nextFiring(job, new Date(NOW), defaults)?.toISOString()).toBe(next);
  });
});

const at = (text: string) => new Date(text);

describe('expiryOf', () => {
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

describe('a run that is to stop', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it.each([
    ['four seconds after the process is told to', 'asked', 3_900, 4_100],
    ['when no result can arrive after the lock is lost', 'lockLost', 44_000, 46_000],
  ])('abandons a hanging step %s, and leaves no timer', async (_, reason, beforeMs, afterMs) => {
    const reasons = { asked: new AbortController(), lockLost: new AbortController() };
    const { asked, lockLost } = reasons;
    const stop = watchForStop({ asked: asked.signal, lockLost: lockLost.signal, timeLimitMs: 86_400_000 });
    let isAbandoned = false;
    void stop.graceEnds.then(() => {
      isAbandoned = true;
    });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([stop.signal.aborted, isAbandoned]).toEqual([false, false]);
    reasons[reason as keyof typeof reasons].abort();
    await vi.advanceTimersByTimeAsync(beforeMs);
    expect([stop.signal.aborted, isAbandoned]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(afterMs - beforeMs);
    expect(isAbandoned).toBe(true);
    stop.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});
