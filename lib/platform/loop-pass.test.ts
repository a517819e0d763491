import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { noteActive } from './pace';
import { countThread, inThreadTurn } from './thread-turns';

beforeAll(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterAll(() => void vi.useRealTimers());

const never = () => new AbortController().signal;
const take = (ms: number) => () => void vi.advanceTimersByTime(ms);
const turnOf = (ownerId: string, work: () => void) =>
  inThreadTurn({ ipAddress: null, userAgent: null, ownerId }, never, work);

/** Lets sixty owners work at once. @returns the most milliseconds that they took together in one pass of the event loop */
async function longestPassMs(work: (ownerId: string) => Promise<void>): Promise<number> {
  const owners = Array.from({ length: 60 }, (_, index) => `owner ${index}`);
  for (const owner of owners) noteActive(owner);
  // The others wait for the first one.
  void turnOf('first', take(2));
  let isDone = false;
  void Promise.all(owners.map(work)).then(() => {
    isDone = true;
  });
  let longest = 0;
  for (let pass = 0; pass < 1_000 && !isDone; pass += 1) {
    const before = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    longest = Math.max(longest, performance.now() - before);
  }
  expect(isDone).toBe(true);
  return longest;
}

it('short turns of sixty owners take about 4 ms of the thread in each pass of the event loop', async () => {
  expect(await longestPassMs((owner) => turnOf(owner, take(1.5)))).toBeLessThanOrEqual(6);
});

it('short work that follows the turns of sixty owners counts for the same pass', async () => {
  const longest = await longestPassMs((owner) => turnOf(owner, take(0.1)).then(() => countThread(owner, take(1.5))));
  expect(longest).toBeLessThanOrEqual(8);
});

it('many turns that need little of the thread share one pass of the event loop', async () => {
  let passes = 0;
  const all = Promise.all(Array.from({ length: 30 }, (_, index) => turnOf(`light ${index}`, take(0.1))));
  let isDone = false;
  void all.then(() => {
    isDone = true;
  });
  while (!isDone && passes < 100) {
    passes += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(passes).toBeLessThanOrEqual(2);
});
