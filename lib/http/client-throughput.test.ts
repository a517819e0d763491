import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientThroughput } from './client-throughput';

const LIMITS = { leastBytesPerSecond: 1_000, periodMs: 10_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Reads chunks, each after a delay. @returns how many the client got before it was refused */
function countTaken(pieces: number, bytes: number, tookMs: number, makingMs = 0): number {
  const throughput = new ClientThroughput(LIMITS);
  for (let taken = 0; taken < pieces; taken += 1) {
    if (!throughput.take()) return taken;
    vi.advanceTimersByTime(makingMs);
    throughput.offer(bytes);
    vi.advanceTimersByTime(tookMs);
  }
  return pieces;
}

describe('the client of a download', () => {
  it('gets the entire file when it reads fast enough', () => {
    expect(countTaken(1_000, 2_000, 1_000)).toBe(1_000);
  });

  it('is refused after a period when it reads a few bytes now and then', () => {
    expect(countTaken(1_000, 2_000, 5_000)).toBe(2);
  });

  it('is refused when it becomes slow after buffers on the way made it look fast', () => {
    const throughput = new ClientThroughput(LIMITS);
    throughput.take();
    throughput.offer(10_000_000);
    vi.advanceTimersByTime(10_001);
    expect(throughput.take()).toBe(true);
    throughput.offer(100);
    vi.advanceTimersByTime(10_001);
    expect(throughput.take()).toBe(false);
  });

  it('is not charged for the time in which the server produces the next chunk', () => {
    expect(countTaken(100, 2_000, 1_000, 60_000)).toBe(100);
  });
});
