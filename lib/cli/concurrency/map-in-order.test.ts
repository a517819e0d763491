import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { mapInOrder } from './map-in-order';

async function* numbers(count: number) {
  for (let i = 0; i < count; i += 1) yield i;
}

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of results) all.push(each);
  return all;
}

it('yields results in the order of the items, whichever ends first', async () => {
  const results = mapInOrder(numbers(6), 3, async (n) => {
    await sleep(n % 2 === 0 ? 20 : 0);
    return n * 10;
  });
  expect(await collect(results)).toEqual([0, 10, 20, 30, 40, 50]);
});

it('works on as many items at a time as it may, and not on more', async () => {
  let running = 0;
  let most = 0;
  const results = mapInOrder(numbers(20), 4, async (n) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(1);
    running -= 1;
    return n;
  });
  expect(await collect(results)).toHaveLength(20);
  expect(most).toBe(4);
});

it('yields a result while the source has no next item', async () => {
  async function* idle() {
    yield 1;
    await new Promise(() => undefined);
  }
  for await (const result of mapInOrder(idle(), 4, async (n) => n)) {
    expect(result).toBe(1);
    return;
  }
});

it('takes no item that has no room', async () => {
  let taken = 0;
  async function* counted() {
    for (;;) {
      taken += 1;
      yield taken;
    }
  }
  for await (const result of mapInOrder(counted(), 2, async (n) => n)) if (result === 3) break;
  // Two at a time, one that waits, and those whose results were yielded.
  expect(taken).toBeLessThanOrEqual(3 + 2 + 1);
});

it('yields the results of the items before it throws the error of the source', async () => {
  async function* failing() {
    yield 1;
    yield 2;
    throw new Error('the source');
  }
  const seen: number[] = [];
  const results = mapInOrder(failing(), 5, async (n) => {
    await sleep(10);
    return n;
  });
  await expect(async () => {
    for await (const n of results) seen.push(n);
  }).rejects.toThrow('the source');
  expect(seen).toEqual([1, 2]);
});

it('throws the error of an item after the results before it', async () => {
  const seen: number[] = [];
  const results = mapInOrder(numbers(5), 5, async (n) => {
    if (n === 2) throw new Error('two');
    return n;
  });
  await expect(async () => {
    for await (const n of results) seen.push(n);
  }).rejects.toThrow('two');
  expect(seen).toEqual([0, 1]);
});
