import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { nextRetryMs } from './engine/attempt-job';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const DEFAULT_SECONDS = parseConfig({}).DELIVERY_RETRY_SECONDS.map(Number);
const failed = { responseStatus: 500 as number | null, retryAfter: null as string | null, now: NOW, random: 0 };

const random = fc.double({ min: 0, max: 1, noNaN: true });
const schedule = fc.array(fc.integer({ min: 0, max: 604_800 }), { minLength: 1, maxLength: 30 });

describe('the retry schedule', () => {
  it('has ten attempts by default: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    const delays = Array.from({ length: 10 }, (_, index) =>
      nextRetryMs({ ...failed, scheduleSeconds: DEFAULT_SECONDS, attempts: index + 1 }),
    );
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600_000);
    expect(delays).toEqual([5_000, 300_000, 1_800_000, ...hours, null]);
  });

  it('is never early and at most 10 % late', () => {
    fc.assert(
      fc.property(schedule, fc.nat(), random, (scheduleSeconds, nth, chance) => {
        const attempts = (nth % scheduleSeconds.length) + 1;
        const scheduledMs = (scheduleSeconds[attempts - 1] ?? 0) * 1000;
        const delayMs = nextRetryMs({ ...failed, scheduleSeconds, attempts, random: chance });
        expect(delayMs).toBeGreaterThanOrEqual(scheduledMs);
        expect(delayMs).toBeLessThanOrEqual(scheduledMs * 1.1);
      }),
    );
  });

  it('spreads retries that failed together', () => {
    const at = (chance: number) =>
      nextRetryMs({ ...failed, scheduleSeconds: [1000], attempts: 1, random: chance }) ?? 0;
    expect(at(1) - at(0)).toBeGreaterThan(50_000);
  });

  it('ends after its last step', () => {
    fc.assert(
      fc.property(schedule, fc.nat(100), (scheduleSeconds, beyond) => {
        const attempts = scheduleSeconds.length + 1 + beyond;
        expect(nextRetryMs({ ...failed, scheduleSeconds, attempts })).toBeNull();
      }),
    );
  });
});

describe('Retry-After', () => {
  const delayAfter = (retryAfter: string | null, responseStatus: number | null = 429, seconds = 5) =>
    nextRetryMs({ ...failed, scheduleSeconds: [seconds], attempts: 1, responseStatus, retryAfter });

  it('is honored in seconds on 429 and 503 when it is longer than the schedule', () => {
    expect(delayAfter('120')).toBe(120_000);
    expect(delayAfter(' 120 ', 503)).toBe(120_000);
  });

  it('is honored as a date', () => {
    expect(delayAfter('Fri, 20 Nov 2026 12:10:00 GMT')).toBe(600_000);
  });

  it('never shortens the schedule', () => {
    expect(delayAfter('1', 429, 300)).toBe(300_000);
    expect(delayAfter('Fri, 20 Nov 2026 11:00:00 GMT', 429, 300)).toBe(300_000);
  });

  it('is ignored for other statuses', () => {
    for (const status of [200, 301, 400, 500, 502, null]) expect(delayAfter('120', status)).toBe(5_000);
  });

  it('is limited to 24 hours', () => {
    expect(delayAfter('9999999999999999')).toBe(86_400_000);
    expect(delayAfter('Fri, 20 Nov 2099 12:10:00 GMT')).toBe(86_400_000);
  });

  it('is ignored when it is neither seconds nor a date', () => {
    for (const value of ['', 'soon', '-5', '1.5', '0x10', null]) expect(delayAfter(value), String(value)).toBe(5_000);
  });

  it('adds no attempt after the last', () => {
    expect(
      nextRetryMs({ ...failed, scheduleSeconds: [5], attempts: 2, responseStatus: 429, retryAfter: '9' }),
    ).toBeNull();
  });

  it('never lets a receiver delay a retry beyond 24 hours or the schedule', () => {
    fc.assert(
      fc.property(fc.string(), schedule, random, (retryAfter, scheduleSeconds, chance) => {
        const delayMs = nextRetryMs({
          ...failed,
          scheduleSeconds,
          attempts: 1,
          responseStatus: 503,
          retryAfter,
          random: chance,
        });
        expect(delayMs).toBeLessThanOrEqual(Math.max((scheduleSeconds[0] ?? 0) * 1100, 86_400_000));
      }),
    );
  });
});
