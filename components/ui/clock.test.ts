import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClock } from './clock';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00.300Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const at = (time: string) => new Date(`2026-11-21T${time}Z`).getTime();

it('tells all readers the same time between two ticks', () => {
  const clock = createClock(1000);
  clock.subscribe(() => {});
  const first = clock.read();
  vi.advanceTimersByTime(600);
  expect([first, clock.read()]).toEqual([at('12:00:00.300'), at('12:00:00.300')]);
});

it('ticks at full steps for all subscribers at once', () => {
  const clock = createClock(1000);
  const seen: string[] = [];
  clock.subscribe(() => seen.push(`a ${clock.read() - at('12:00:00')}`));
  vi.advanceTimersByTime(500);
  clock.subscribe(() => seen.push(`b ${clock.read() - at('12:00:00')}`));
  vi.advanceTimersByTime(1300);
  expect(seen).toEqual(['a 1000', 'b 1000', 'a 2000', 'b 2000']);
});

it('has no timer without a subscriber, and is right when the next one comes', () => {
  const clock = createClock(1000);
  clock.subscribe(() => {})();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(clock.read()).toBe(at('12:00:05.300'));
});
