import { describe, expect, it } from 'vitest';
import { GatherWindow } from './group-commit';

describe('the wait before a flush', () => {
  it('is zero for an event after a pause', () => {
    const window = new GatherWindow();
    expect(window.waitMs(0)).toBe(0);
    window.noteFlush(0);
    expect(window.waitMs(1_000)).toBe(0);
  });

  it('is at most the rest of a short window after the previous flush', () => {
    const window = new GatherWindow();
    window.noteFlush(100);
    const early = window.waitMs(101);
    const late = window.waitMs(105);
    expect(early - late).toBe(4);
    expect(early).toBeLessThanOrEqual(20);
  });

  it('is not skipped while another statement is in flight', () => {
    const window = new GatherWindow();
    window.noteFlush(0);
    window.noteWait(5, 5);
    expect(window.waitMs(4, false)).toBe(8);
    expect(window.waitMs(4)).toBe(0);
  });

  it('stays under steady traffic', () => {
    expect(countWaits(5)).toBe(1_000);
  });

  it.each([
    ['one sender', 0],
    ['a few senders in step', 1],
  ])('becomes rare for %s, each waiting for its response before the next event', (_, spreadMs) => {
    const waits = countWaits(spreadMs);
    expect(waits).toBeGreaterThan(5);
    expect(waits).toBeLessThan(30);
  });
});

/** Flushes 1,000 times, 10 ms apart. The last row of each wait arrives `spreadMs` after the first. */
function countWaits(spreadMs: number): number {
  const window = new GatherWindow();
  let waits = 0;
  for (let at = 0; at < 10_000; at += 10) {
    window.noteFlush(at);
    if (window.waitMs(at + 2) === 0) continue;
    waits++;
    window.noteWait(at + 2, at + 2 + spreadMs);
  }
  return waits;
}
