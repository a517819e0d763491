import { expect, it } from 'vitest';
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
  const [small, victim] = [{ message: { largeBytes: 12 * MIB } }, { message: { largeBytes: 25 * MIB } }] as Job[];
  for (const owner of ['a', 'b']) {
    for (let count = 0; count < 4; count += 1) expect(budget.hold(small as Job, owner)).toBe(true);
  }
  expect(budget.hold(victim as Job, 'v')).toBe(false);
  for (const owner of ['a', 'b']) {
    budget.release(small as Job, owner);
    expect(budget.hold(small as Job, owner)).toBe(false);
  }
  expect(budget.hold(victim as Job, 'v')).toBe(true);
  budget.release(victim as Job, 'v');
  expect(budget.hold(small as Job, 'a')).toBe(true);
});

it('a body that is larger than all bounds is sent alone', () => {
  const budget = new LargeBodyBudget({ bytes: 10, bytesOfOwner: 10 });
  const [huge, tiny] = [{ message: { largeBytes: 25 } }, { message: { largeBytes: 1 } }] as Job[];
  expect([budget.hold(huge as Job, 'a'), budget.hold(tiny as Job, 'b')]).toEqual([true, false]);
  budget.release(huge as Job, 'a');
  expect([budget.bytes, budget.hold(tiny as Job, 'b')]).toEqual([0, true]);
});
