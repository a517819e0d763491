import { describe, expect, it } from 'vitest';
import { GatherWindow } from './gather-window';

describe('how long rows gather', () => {
  it('is no time for an event after a pause', () => {
    const window = new GatherWindow();
    expect(window.waitMs(0)).toBe(0);
    window.noteFlush(0);
    expect(window.waitMs(1_000)).toBe(0);
  });

  it('is at most the rest of a short window after the flush before', () => {
    const window = new GatherWindow();
    window.noteFlush(100);
    const [early, late] = [window.waitMs(101), window.waitMs(105)];
    expect(early - late).toBe(4);
    expect(early).toBeLessThanOrEqual(20);
  });

  it('stays for traffic that keeps coming', () => {
    const window = new GatherWindow();
    let waits = 0;
    for (let at = 0; at < 10_000; at += 10) {
      window.noteFlush(at);
      if (window.waitMs(at + 2) === 0) continue;
      waits++;
      window.noteWait(at + 2, at + 7);
    }
    expect(waits).toBe(1_000);
  });

  it.each([
    ['one sender', 0],
    ['a few senders that come together', 1],
  ])('becomes rare for %s whose next event comes only after the answer', (_, spreadMs) => {
    const window = new GatherWindow();
    let waits = 0;
    for (let at = 0; at < 10_000; at += 10) {
      window.noteFlush(at);
      if (window.waitMs(at + 2) === 0) continue;
      waits++;
      window.noteWait(at + 2, at + 2 + spreadMs);
    }
    expect(waits).toBeGreaterThan(5);
    expect(waits).toBeLessThan(30);
  });
});
