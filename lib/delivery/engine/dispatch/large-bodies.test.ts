import { expect, it, vi } from 'vitest';
import { WorkerLoad } from '@/lib/delivery/engine/dispatch/worker-load';
import { LargeBodyBudget } from '@/lib/delivery/engine/large-bodies';
import type { Job } from '@/lib/delivery/engine/types';
import {
  countOf,
  countOfProject,
  makeDispatcher,
  makeJob,
  makeTarget,
  projectOf,
  untilSteady,
} from '@/tests/delivery/dispatcher';

const MIB = 1024 * 1024;
const LIMITS = { bytes: 100 * MIB, bytesOfOwner: 50 * MIB };

/** A job with a body that is not in memory. */
const large = (targetId: string, mib = 25): Job => {
  const job = makeJob(targetId);
  return { ...job, message: { ...job.message, id: `of ${projectOf(targetId)}`, largeBytes: mib * MIB } };
};

function setUp() {
  const made = makeDispatcher({ load: new WorkerLoad(new LargeBodyBudget(LIMITS)) });
  const add = async (...jobs: Job[]) => {
    for (const job of jobs) made.dispatcher.add(makeTarget(job.targetId), job);
    made.dispatcher.pump();
    await untilSteady(made.sending);
  };
  const heldMib = () => made.sending.reduce((sum, { job }) => sum + (job.message.largeBytes ?? 0), 0) / MIB;
  return { ...made, add, heldMib };
}

it('attempts of 500 targets never hold more than the bytes of one owner, and all are made', async () => {
  const { add, sending, heldMib, dispatcher } = setUp();
  await add(...Array.from({ length: 500 }, (_, n) => large(`a/${n}`)));
  expect(heldMib()).toBe(50);
  for (let made = 0; made < 20; made += 1) {
    await sending[0]?.finish();
    dispatcher.pump();
    await untilSteady(sending);
    expect(heldMib()).toBe(50);
  }
});

it('another owner’s body is sent at once, and the bytes of all are bounded', async () => {
  const { add, sending, heldMib } = setUp();
  for (const owner of ['a', 'b', 'c']) await add(...Array.from({ length: 5 }, (_, n) => large(`${owner}/${n}`)));
  expect(['a', 'b', 'c'].map((owner) => countOfProject(sending, owner))).toEqual([2, 2, 0]);
  expect(heldMib()).toBe(100);
  await sending[0]?.finish();
  await untilSteady(sending);
  // Owners take turns: the one that has none is next, or in the turn after.
  await sending.find(({ targetId }) => projectOf(targetId) === 'a')?.finish();
  await untilSteady(sending);
  expect(countOfProject(sending, 'c')).toBeGreaterThan(0);
  expect(heldMib()).toBeLessThanOrEqual(100);
});

it('small jobs start before large ones that came earlier and have no room, of the same owner and of others', async () => {
  const { add, sending } = setUp();
  await add(...Array.from({ length: 40 }, (_, n) => large(`a/${n}`)));
  await add(makeJob('a/small'), makeJob('b/small'));
  expect([countOf(sending, 'a/small'), countOf(sending, 'b/small')]).toEqual([1, 1]);
});

it('a large body gets the next room, though smaller ones of others always have some waiting', () => {
  const budget = new LargeBodyBudget(LIMITS);
  const victim = large('v');
  const small = new Map(['a', 'b'].map((owner) => [owner, Array.from({ length: 4 }, () => large(owner, 12))]));
  for (const [owner, jobs] of small) for (const job of jobs) expect(budget.hold(job, owner)).toBe(true);
  expect(budget.hold(victim, 'v')).toBe(false);
  for (const [owner, [job]] of small) {
    budget.release(job as Job, owner);
    expect(budget.hold(large(owner, 12), owner)).toBe(false);
  }
  expect(budget.hold(victim, 'v')).toBe(true);
  budget.release(victim, 'v');
  expect(budget.hold(large('a', 12), 'a')).toBe(true);
});

it('owners get room in the order in which they asked for it, however often others ask', () => {
  const budget = new LargeBodyBudget(LIMITS);
  const running = ['a', 'a', 'b', 'b'].map((owner) => ({ owner, job: large(owner) }));
  for (const { owner, job } of running) expect(budget.hold(job, owner)).toBe(true);
  const [first, second] = [large('first', 1), large('second', 1)];
  expect([budget.hold(first, 'first'), budget.hold(second, 'second')]).toEqual([false, false]);
  for (const { owner, job } of running.slice(0, 1)) budget.release(job, owner);
  const [third, fourth] = [large('third', 24), large('third', 23)];
  expect([budget.hold(third, 'third'), budget.hold(fourth, 'third')]).toEqual([false, true]);
  expect([budget.hold(second, 'second'), budget.hold(first, 'first')]).toEqual([true, true]);
});

it('owners whose receivers hang share half of the bytes, so others find room', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const budget = new LargeBodyBudget(LIMITS);
  const slow = Array.from({ length: 60 }, (_, n) => `slow ${n}`);
  for (const owner of slow) {
    const job = large(owner);
    expect(budget.hold(job, owner)).toBe(true);
    vi.advanceTimersByTime(15_000);
    budget.release(job, owner);
  }
  expect(slow.filter((owner) => budget.hold(large(owner), owner))).toHaveLength(2);
  expect([budget.hold(large('v'), 'v'), budget.hold(large('w'), 'w')]).toEqual([true, true]);
  vi.useRealTimers();
});

it('a body that is larger than all bounds is sent alone', () => {
  const budget = new LargeBodyBudget({ bytes: 10, bytesOfOwner: 10 });
  const [huge, tiny] = [large('a', 25 / MIB), large('b', 1 / MIB)];
  expect([budget.hold(huge, 'a'), budget.hold(tiny, 'b')]).toEqual([true, false]);
  budget.release(huge, 'a');
  expect([budget.bytes, budget.hold(tiny, 'b')]).toEqual([0, true]);
});
