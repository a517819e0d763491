import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientPace } from './client-pace';

const LIMITS = { leastBytesPerSecond: 1_000, periodMs: 10_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client that takes so many pieces, each after a while. @returns how many it got */
function countTaken(pieces: number, bytes: number, tookMs: number, makingMs = 0): number {
  const pace = new ClientPace(LIMITS);
  for (let taken = 0; taken < pieces; taken += 1) {
    if (!pace.take()) return taken;
    vi.advanceTimersByTime(makingMs);
    pace.offer(bytes);
    vi.advanceTimersByTime(tookMs);
  }
  return pieces;
}

describe('the client of a download', () => {
  it('that keeps the pace gets all of it', () => {
    expect(countTaken(1_000, 2_000, 1_000)).toBe(1_000);
  });

  it('that takes a little now and then is found after a period', () => {
    expect(countTaken(1_000, 2_000, 5_000)).toBe(2);
  });

  it('that was fast at first, thanks to buffers on the way, is found too', () => {
    const pace = new ClientPace(LIMITS);
    pace.take();
    pace.offer(10_000_000);
    vi.advanceTimersByTime(10_001);
    expect(pace.take()).toBe(true);
    pace.offer(100);
    vi.advanceTimersByTime(10_001);
    expect(pace.take()).toBe(false);
  });

  it('does not pay for the time in which the server makes the next piece', () => {
    expect(countTaken(100, 2_000, 1_000, 60_000)).toBe(100);
  });
});
