import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteActive } from '@/lib/platform/pace';
import { ThreadTime } from './thread-time';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A fake thread: `pass` advances the clock, and the time that the thread has worked. */
function startThread() {
  let workedMs = 0;
  const thread = new ThreadTime(() => workedMs);
  const pass = (ms: number, ofItWorkedMs = ms) => {
    workedMs += ofItWorkedMs;
    vi.advanceTimersByTime(ms);
    noteActive('somebody');
    noteActive('somebody else');
  };
  /** Makes turns of an owner at a rate for some seconds, with the thread idle between them. */
  const work = (owner: string, seconds: number, perSecond: number, ms: number, mostMs = ms) => {
    for (let turn = 0; turn < seconds * perSecond; turn++) {
      const end = thread.begin(owner);
      pass(ms);
      end(mostMs);
      pass(1_000 / perSecond - ms, 0);
    }
  };
  return { thread, pass, work };
}

describe('an owner', () => {
  it('is heavy when its turns take more than 75 ms a second of a thread that turns keep busy for more than 350 ms', () => {
    const { thread, pass, work } = startThread();
    work('light', 10, 7, 10);
    work('heavy', 3, 90, 10);
    expect(['heavy', 'light'].map((owner) => thread.isHeavy(owner))).toEqual([true, false]);
    pass(10_001, 0);
    expect(thread.isHeavy('heavy')).toBe(false);
  });

  it('is not heavy while turns take less of the time, or while it is alone', () => {
    const { thread, work } = startThread();
    work('owner', 5, 30, 10);
    expect(thread.isHeavy('owner')).toBe(false);
    work('owner', 5, 90, 10);
    expect(thread.isHeavy('owner')).toBe(true);
    vi.advanceTimersByTime(500);
    noteActive('owner');
    vi.advanceTimersByTime(600);
    expect(thread.isHeavy('owner')).toBe(false);
  });

  it('shares what the thread works with those whose turns last at the same time', () => {
    const { thread, pass, work } = startThread();
    const owners = Array.from({ length: 10 }, (_, index) => `owner ${index}`);
    work('another', 2, 90, 10);
    const ends = owners.map((owner) => thread.begin(owner));
    const endOfStranger = thread.begin(null);
    pass(1_600);
    for (const end of ends) end(1_600);
    endOfStranger(1_600);
    // 145 ms each, of the 150 that an owner may use at once.
    expect(owners.some((owner) => thread.isHeavy(owner))).toBe(false);
    const end = thread.begin('owner 0');
    pass(300);
    end(300);
    expect(owners.filter((owner) => thread.isHeavy(owner))).toEqual(['owner 0']);
  });

  it('is not heavy because of a page of 30 requests, however busy others keep the thread', () => {
    const { thread, work } = startThread();
    work('others', 2, 90, 10);
    for (let request = 0; request < 30; request++) {
      expect(thread.isHeavy('owner')).toBe(false);
      work('owner', 1 / 100, 100, 5);
    }
  });

  it('is heavy because of what its requests take after their turns, which counts once', () => {
    const { thread, pass } = startThread();
    const ends = Array.from({ length: 3 }, () => thread.begin('owner'));
    for (const end of ends) end(5);
    pass(150);
    for (const end of [...ends, ...ends]) end(45);
    expect(thread.isHeavy('owner')).toBe(false);
    for (const end of ends) end(95);
    expect(thread.isHeavy('owner')).toBe(true);
  });

  it('is not heavy because a busy machine lengthens its few turns', () => {
    const { thread, work } = startThread();
    work('owner', 10, 9, 100, 5);
    work('others', 2, 90, 10);
    expect(thread.isHeavy('owner')).toBe(false);
  });
});

describe('the rest of heavy owners', () => {
  it('ends when turns have taken a third of the time', () => {
    const { thread, pass, work } = startThread();
    work('owner', 2, 90, 10);
    const restMs = thread.restMs();
    expect(restMs).toBeGreaterThan(0);
    pass(Math.ceil(restMs), 0);
    expect(thread.restMs()).toBe(0);
  });

  it('is bounded, however much turns have taken', () => {
    const { thread, work } = startThread();
    work('owner', 60, 100, 10);
    expect(thread.restMs()).toBe(300);
  });

  it('does not come from work without turns, of strangers, or from long ago', () => {
    const { thread, pass, work } = startThread();
    pass(60_000);
    for (let turn = 0; turn < 100; turn++) {
      const end = thread.begin(null);
      pass(10);
      end(10);
    }
    work('owner', 1, 30, 10);
    expect(thread.restMs()).toBe(0);
    expect(thread.isHeavy('owner')).toBe(false);
  });
});
