import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LaneQueue, type QueuedRow } from './lane-queue';

type Queued = QueuedRow<string, null>;

/** Each lane has an owner of its own, or the one before a slash. */
const waiting = (lane: string, size = 2, arrivedAt = 0): Queued => ({
  row: lane,
  owner: lane.split('/')[0] as string,
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

  it('ends a batch at 64 rows or a size of 512 Ki, and takes a larger row alone', () => {
    const queue = new LaneQueue<string, null>();
    fill(queue, 'a', 100);
    expect(queue.take()).toHaveLength(64);
    expect(queue.take()).toHaveLength(36);
    fill(queue, 'a', 3, 250_000);
    expect(queue.take()).toHaveLength(2);
    fill(queue, 'b', 1, 2_000_000);
    expect(lanesOf([...queue.take(), ...queue.take()])).toBe('ab');
  });

  it('holds 5,000 small rows or 32 Mi characters, and no more', () => {
    const rows = new LaneQueue<string, null>();
    expect(fill(rows, 'a', 5_001).length).toBeGreaterThanOrEqual(1);
    expect(rows.length).toBeGreaterThan(4_900);
    const large = new LaneQueue<string, null>();
    expect(fill(large, 'a', 33, 1024 * 1024)).toHaveLength(1);
  });

  it('drops the newest row of the heaviest owner for a row of a lighter one, never the reverse', () => {
    const queue = new LaneQueue<string, null>();
    fill(queue, 'a', 28, 1024 * 1024);
    fill(queue, 'b', 4, 1024 * 1024);
    expect(lanesOf(queue.push(waiting('c', 1024 * 1024)))).toBe('a');
    expect(lanesOf(queue.push(waiting('a', 1024 * 1024)))).toBe('a');
    expect(lanesOf(fill(queue, 'b', 40, 1024 * 1024))).toMatch(/^a{11}b{29}$/);
  });

  it('drops rows of an owner with many lanes, each of which is light', () => {
    const queue = new LaneQueue<string, null>();
    for (let lane = 0; lane < 32; lane++) queue.push(waiting(`a/${lane}`, 1024 * 1024));
    for (let row = 0; row < 16; row++) expect(lanesOf(queue.push(waiting('b', 1024 * 1024)))).toMatch(/^a/);
    expect(lanesOf(queue.drain()).match(/a/g)).toHaveLength(16);
  });

  it('drops no row of another owner for one that finds no room even then', () => {
    const queue = new LaneQueue<string, null>();
    fill(queue, 'a', 31, 1024 * 1024);
    fill(queue, 'b', 150);
    const before = queue.length;
    expect(lanesOf(queue.push(waiting('b', 31 * 1024 * 1024)))).toBe('b');
    expect(queue.length).toBe(before);
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

  it('lets the lanes of an owner take turns', () => {
    const queue = new LaneQueue<string, null>();
    for (const lane of ['a/1', 'a/1', 'a/1', 'a/2', 'b', 'b']) queue.push(waiting(lane));
    expect(lanesOf(queue.take())).toBe('a/1ba/2ba/1a/1');
  });

  it('puts a large row into no statement with rows of another owner', () => {
    const queue = new LaneQueue<string, null>();
    for (let lane = 0; lane < 100; lane++) queue.push(waiting(`flood/${lane}`, 200_000));
    queue.push(waiting('quiet'));
    const batches = [queue.take(), queue.take()].map((batch) => new Set(batch.map(({ owner }) => owner)));
    expect(batches).toContainEqual(new Set(['quiet']));
  });

  it('gives two owners with waiting rows the same weight, up to one row, whatever their sizes and lanes', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 500_000 }), fc.nat(20)), { minLength: 1, maxLength: 60 });
    const weightOf = (size: number) => Math.max(size, Math.ceil((32 * 1024 * 1024) / 5_000));
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const queue = new LaneQueue<string, null>();
        const left = { a: a.length, b: b.length };
        for (const [size, lane] of a) queue.push(waiting(`a/${lane}`, size));
        for (const [size, lane] of b) queue.push(waiting(`b/${lane}`, size));
        const taken = { a: 0, b: 0 };
        while (left.a > 0 && left.b > 0) {
          for (const { owner, size } of queue.take()) {
            if (left.a === 0 || left.b === 0) break;
            taken[owner as 'a' | 'b'] += weightOf(size);
            left[owner as 'a' | 'b'] -= 1;
          }
          expect(Math.abs(taken.a - taken.b)).toBeLessThanOrEqual(500_000 + 2 * weightOf(1));
        }
      }),
    );
  });
});
