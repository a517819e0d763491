import { describe, expect, it } from 'vitest';
import type { AttemptTiming } from '@/lib/delivery/schema';
import { formatStep, timingStepsOf } from './attempt-timing';

const timing: AttemptTiming = {
  reusedConnection: false,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
};
const stepsOf = (measured: Partial<AttemptTiming>, durationMs = 100, succeeded = true) =>
  timingStepsOf({ durationMs, succeeded, timing: { ...timing, ...measured } });

describe('the steps of an attempt', () => {
  it('follow one another up to its end', () => {
    expect(stepsOf({ dnsMs: 10, connectMs: 20, tlsMs: 30, firstByteMs: 90 })).toEqual([
      { name: 'DNS lookup', startMs: 0, ms: 10, hasFailed: false },
      { name: 'Connect', startMs: 10, ms: 20, hasFailed: false },
      { name: 'TLS handshake', startMs: 30, ms: 30, hasFailed: false },
      { name: 'Waiting', startMs: 60, ms: 30, hasFailed: false },
      { name: 'Reading', startMs: 90, ms: 10, hasFailed: false },
    ]);
  });

  it('are waiting and reading alone on an open connection', () => {
    const steps = stepsOf({ reusedConnection: true, firstByteMs: 80 });
    expect(steps.map(({ name, ms }) => [name, ms])).toEqual([
      ['Waiting', 80],
      ['Reading', 20],
    ]);
  });

  it('end with the one that failed', () => {
    expect(stepsOf({ dnsMs: 99.8 })).toEqual([{ name: 'DNS lookup', startMs: 0, ms: 99.8, hasFailed: true }]);
    const timedOut = stepsOf({ connectMs: 5 }, 15_000);
    expect(timedOut.map(({ name, hasFailed }) => [name, hasFailed])).toEqual([
      ['Connect', false],
      ['Waiting', true],
    ]);
  });

  it('never add up to less than nothing when the times were rounded', () => {
    for (const step of stepsOf({ connectMs: 0.8, firstByteMs: 0.5 }, 0)) {
      expect(step.ms).toBeGreaterThanOrEqual(0);
    }
    expect(timingStepsOf({ durationMs: 5, succeeded: true, timing: null })).toEqual([]);
  });
});

it.each([
  [0.416, '0.42 ms'],
  [0, '0 ms'],
  [8.43, '8.4 ms'],
  [99.9, '100 ms'],
  [120.4, '120 ms'],
  [1_250, '1.3 s'],
])('formats %s as %s', (ms, text) => {
  expect(formatStep(ms)).toBe(text);
});
