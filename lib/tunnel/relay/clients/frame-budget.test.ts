import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FrameBudget } from './budgets';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const RATE = { perSecond: 100, atOnce: 10, mostOwed: 50, bytesOfFrame: 1_000, framesOfBody: 5 };

it('lets an owner send some frames at once, and others as fast as the rate', () => {
  const budget = new FrameBudget(RATE);
  const count = (bytes: number) => budget.count('a', bytes);
  expect(Array.from({ length: 10 }, () => count(0))).toEqual(Array(10).fill(0));
  expect(count(0)).toBeCloseTo(10);
  vi.advanceTimersByTime(1_000);
  expect(Array.from({ length: 10 }, () => count(0))).toEqual(Array(10).fill(0));
});

it('counts large frames by their bytes', () => {
  const budget = new FrameBudget(RATE);
  const count = (bytes: number) => budget.count('a', bytes);
  expect(count(9_000)).toBe(0);
  expect(count(1_000)).toBeCloseTo(20);
});

it('counts frames of a body more, since each is written to a visitor', () => {
  const budget = new FrameBudget(RATE);
  expect([0, 1, 2].map(() => budget.count('a', 0, true))).toEqual([0, 0, expect.closeTo(50)]);
});

it('counts the connections of an owner together, and those of others apart', () => {
  const budget = new FrameBudget(RATE);
  for (let frames = 0; frames < 10; frames++) budget.count('a', 0);
  expect([budget.count('a', 0), budget.count('b', 0)]).toEqual([expect.closeTo(10), 0]);
});

/** Sends as many frames of each owner as it may for ten seconds. @returns how many each has sent */
function flood(budget: FrameBudget, owners: readonly string[]): number[] {
  const sent = owners.map(() => 0);
  for (let ms = 0; ms < 10_000; ms++) {
    for (const [index, owner] of owners.entries()) {
      while (budget.owedMs(owner) === 0) {
        budget.count(owner, 0);
        sent[index] = (sent[index] ?? 0) + 1;
      }
    }
    vi.advanceTimersByTime(1);
  }
  return sent;
}

it('lets all owners together send as many frames a second as one alone, in equal parts', () => {
  const [alone = 0] = flood(new FrameBudget(RATE), ['a']);
  const sent = flood(new FrameBudget(RATE), ['a', 'b', 'c', 'd', 'e']);
  expect(alone).toBeGreaterThanOrEqual(1_000 + 10);
  expect(alone).toBeLessThanOrEqual(1_000 + 10 + 1);
  // Each has what may be sent at once, and a fifth of the rate.
  for (const frames of sent) {
    expect(frames).toBeGreaterThanOrEqual(200 + 10 - 1);
    expect(frames).toBeLessThanOrEqual(200 + 10 + 1);
  }
});

it('lets an owner that sends less than its share send at once while others send more', () => {
  const budget = new FrameBudget(RATE);
  const waits = new Set<number>();
  for (let ms = 0; ms < 10_000; ms++) {
    for (const owner of ['a', 'b', 'c', 'd']) if (budget.owedMs(owner) === 0) budget.count(owner, 0);
    if (ms % 50 === 0) waits.add(budget.count('e', 0));
    vi.advanceTimersByTime(1);
  }
  expect([...waits]).toEqual([0]);
});

it('lets an owner owe a bounded number, and remembers it when they connect again', () => {
  const budget = new FrameBudget(RATE);
  const owed = Array.from({ length: 100 }, () => budget.count('a', 0));
  expect([owed[59], owed[99]]).toEqual([expect.closeTo(500), expect.closeTo(500)]);
  vi.advanceTimersByTime(250);
  expect(budget.owedMs('a')).toBeCloseTo(250);
});
