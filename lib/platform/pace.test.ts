import { afterEach, expect, it, vi } from 'vitest';
import { FairSemaphore } from './fair-semaphore';
import { isAlone, noteActive, Pace } from './pace';

const LIMITS = { perSecond: 500, burst: 2_000 };
const never = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

it('lets a tenant rest after its burst, for as long as it takes to earn what it used', () => {
  const pace = new Pace(LIMITS, () => false);
  expect(pace.restAfter('a', 2_000, 0)).toBe(0);
  expect(pace.restAfter('a', 100, 0)).toBe(200);
  expect(pace.restAfter('a', 100, 200)).toBe(200);
  expect(pace.restAfter('b', 100, 200)).toBe(0);
  // After a pause the whole burst is there again, and no more.
  expect(pace.restAfter('a', 2_000, 60_000)).toBe(0);
  expect(pace.restAfter('a', 50, 60_000)).toBe(100);
});

it('counts a part of a long job only: 20 of them a second never rest', () => {
  const pace = new Pace({ ...LIMITS, mostOfJob: 25 }, () => false);
  for (let job = 0; job < 200; job++) expect(pace.restAfter('a', 1_000, job * 50)).toBe(0);
});

it('counts a long job in full beyond what a busy machine makes of a short one', () => {
  const pace = new Pace({ ...LIMITS, burst: 0, mostOfJob: 20, inFullBeyond: 100 }, () => false);
  expect(pace.restAfter('a', 100, 0)).toBe(40);
  expect(pace.restAfter('b', 300, 0)).toBe(440);
});

it('lets nobody rest who is alone, and for a second at most who was alone before', () => {
  let alone = true;
  const pace = new Pace(LIMITS, () => alone);
  expect(pace.restAfter('a', 60_000, 0)).toBe(0);
  alone = false;
  expect(pace.restAfter('a', 1, 0)).toBe(1_000);
});

it('knows an owner as alone until another one was active within a second', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  noteActive('a');
  vi.advanceTimersByTime(1_001);
  noteActive('b');
  expect([isAlone('b'), isAlone('a')]).toEqual([true, false]);
  noteActive('a');
  noteActive('a');
  expect([isAlone('a'), isAlone('b'), isAlone('c')]).toEqual([false, false, false]);
  vi.advanceTimersByTime(900);
  noteActive('a');
  vi.advanceTimersByTime(200);
  expect([isAlone('a'), isAlone('b')]).toEqual([true, false]);
});

it('knows a member of an organization as alone, too, whose owner is somebody else', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(5_000);
  noteActive('owner', 'member');
  noteActive('owner', 'member');
  expect([isAlone('owner'), isAlone('member'), isAlone('other')]).toEqual([true, true, false]);
  noteActive('other');
  expect([isAlone('owner'), isAlone('member')]).toEqual([false, false]);
});

it('frees the slot of a resting tenant for others at once, and for the tenant after the rest', async () => {
  vi.useFakeTimers();
  const limits = { width: 2, widthPerTenant: 1, waiting: 9, waitingPerTenant: 9 };
  const semaphore = new FairSemaphore(limits, new Pace({ perSecond: 500, burst: 0 }, () => false));
  const granted: string[] = [];
  const ask = (tenant: string) =>
    semaphore.acquire(tenant, never).then((release) => {
      granted.push(tenant);
      return release;
    });
  const first = await ask('a');
  await ask('b');
  for (const tenant of ['a', 'c']) void ask(tenant);
  await vi.advanceTimersByTimeAsync(100);
  first();
  await vi.advanceTimersByTimeAsync(199);
  expect(granted).toEqual(['a', 'b', 'c']);
  // 'a' has earned its 100 ms; the two slots are in use.
  await vi.advanceTimersByTimeAsync(1);
  expect(semaphore.waiting).toBe(1);
});

it('lets nobody rest after a job without cost', async () => {
  const limits = { width: 1, widthPerTenant: 1, waiting: 9, waitingPerTenant: 9 };
  const semaphore = new FairSemaphore(limits, new Pace({ perSecond: 1, burst: 0 }, () => false));
  semaphore.tryAcquire('a')?.(0);
  expect(semaphore.tryAcquire('a')).not.toBeNull();
});
