import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Yielder } from './yielder';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('yields after some milliseconds, however few the steps', async () => {
  const yielder = new Yielder();
  for (let step = 0; step < 1_000; step++) expect(yielder.shouldYield()).toBe(false);
  vi.advanceTimersByTime(4);
  expect(yielder.shouldYield()).toBe(true);
  await yielder.yield();
  expect(yielder.shouldYield()).toBe(false);
});

it('yields after a number of steps, however little time they took', async () => {
  const yielder = new Yielder(2);
  expect(yielder.shouldYield()).toBe(false);
  expect(yielder.shouldYield()).toBe(true);
  await yielder.yield();
  expect(yielder.shouldYield()).toBe(false);
});
