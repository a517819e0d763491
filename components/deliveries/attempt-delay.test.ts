import { expect, it } from 'vitest';
import type { Attempt } from '@/lib/delivery/schema';
import { delayBeforeMs } from './attempt-delay';

const at = (attemptNumber: number, time: string) =>
  ({ attemptNumber, startedAt: `2026-11-23T${time}.000Z` }) as Attempt;

it('an attempt follows the one before it after a delay', () => {
  const attempts = [at(3, '12:05:05'), at(2, '12:00:05'), at(1, '12:00:00')];
  expect(attempts.map((_, index) => delayBeforeMs(attempts, index))).toEqual([300_000, 5_000, null]);
});

it('has no delay when the attempt before it was removed or is not loaded', () => {
  const attempts = [at(5, '12:05:05'), at(3, '12:00:05')];
  expect(attempts.map((_, index) => delayBeforeMs(attempts, index))).toEqual([null, null]);
});
