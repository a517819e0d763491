import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './throttle';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs at once, and then once at the end of each second in which it was called', () => {
  const work = vi.fn();
  const { run } = throttle(work, 1000);
  run();
  expect(work).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 10; n++) run();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(work).toHaveBeenCalledTimes(2);
  run();
  expect(work).toHaveBeenCalledTimes(3);
});

it('runs no more after it was canceled', () => {
  const work = vi.fn();
  const { run, cancel } = throttle(work, 1000);
  run();
  run();
  cancel();
  vi.advanceTimersByTime(5000);
  expect(work).toHaveBeenCalledTimes(1);
});
