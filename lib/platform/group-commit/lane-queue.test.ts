import { describe, expect, it } from 'vitest';
import { LaneQueue, type QueuedRow } from './lane-queue';

type Queued = QueuedRow<string, null>;

const waiting = (lane: string, size = 2, arrivedAt = 0): Queued => ({
  row: lane,
  lane,
  size,
  arrivedAt,
  isSettled: false,
  resolve: () => undefined,
  reject: () => undefined,
});
const fill = (queue: LaneQueue<string, null>, lane: string, count: number, chars = 2) =>
  Array.from({ length: count }, () => queue.push(waiting(lane, chars))).flat();
const lanesOf = (rows: Queued[]) => rows.map(({ lane }) => lane).join('');

describe('a queue with lanes', () => {
  it('takes one row of each lane in turn, in the order of arrival', () => {
    const queue = new LaneQueue<string, null>();
    for (const lane of ['a', 'a', 'a', 'b', 'c', 'b']) queue.push(waiting(lane));
    expect(lanesOf(queue.take())).toBe('abcaba');
    expect(queue.length).toBe(0);
  });

  it('starts a batch with the lane after the last lane of the batch before', () => {
    const queue = new LaneQueue<string, null>();
    for (const lane of ['a', 'b', 'c']) fill(queue, lane, 64);
    expect(lanesOf(queue.take()).slice(-2)).toBe('ca');
    expect(lanesOf(queue.take()).slice(0, 2)).toBe('bc');
  });

  it('ends a batch at 64 rows or a size of 1 Mi, and takes a larger row alone', () => {
    const queue = new LaneQueue<string, null>();
    fill(queue, 'a', 100);
    expect(queue.take()).toHaveLength(64);
    expect(queue.take()).toHaveLength(36);
    fill(queue, 'a', 3, 500_000);
    expect(queue.take()).toHaveLength(2);
    fill(queue, 'b', 1, 2_000_000);
    expect(lanesOf([...queue.take(), ...queue.take()])).toBe('ab');
  });

  it('holds 5,000 small rows or 64 Mi characters, and no more', () => {
    const rows = new LaneQueue<string, null>();
    expect(fill(rows, 'a', 5_001).length).toBeGreaterThanOrEqual(1);
    expect(rows.length).toBeGreaterThan(4_900);
    const large = new LaneQueue<string, null>();
    expect(fill(large, 'a', 65, 1024 * 1024)).toHaveLength(1);
  });

  it('drops the newest row of the heaviest lane for a row of a lighter lane, never the reverse', () => {
    const queue = new LaneQueue<string, null>();
    fill(queue, 'a', 60, 1024 * 1024);
    fill(queue, 'b', 4, 1024 * 1024);
    expect(lanesOf(queue.push(waiting('c', 1024 * 1024)))).toBe('a');
    expect(lanesOf(queue.push(waiting('a', 1024 * 1024)))).toBe('a');
    expect(lanesOf(fill(queue, 'b', 40, 1024 * 1024))).toMatch(/^a{27}b{13}$/);
  });

  it('returns when its oldest row arrived, in whichever lane it is', () => {
    const queue = new LaneQueue<string, null>();
    expect(queue.oldestSince).toBe(Number.POSITIVE_INFINITY);
    for (const [lane, arrivedAt] of [
      ['a', 30],
      ['b', 10],
      ['b', 40],
    ] as const)
      queue.push(waiting(lane, 2, arrivedAt));
    expect(queue.oldestSince).toBe(10);
    queue.drain();
    expect(queue.length).toBe(0);
  });
});
