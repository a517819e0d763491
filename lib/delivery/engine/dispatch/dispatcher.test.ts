import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Job } from '@/lib/delivery/engine/types';
import { RESPONSE_TIMEOUT_MS, TURN_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import {
  countOf,
  countOfProject,
  makeDispatcher,
  makeJob,
  makeTarget,
  projectOf,
  runEventLoop,
  untilSteady,
} from '@/tests/delivery/dispatcher';
import { MAX_BYTES, MAX_JOBS } from './admission';
import { TargetQueue } from './target-queue';

describe('a job', () => {
  it('is released, not sent, if its lease would end during the attempt', async () => {
    const { dispatcher, sending, released } = makeDispatcher();
    const late = makeJob('a', { leaseEndsAt: performance.now() + TURN_TIMEOUT_MS + RESPONSE_TIMEOUT_MS });
    const good = makeJob('a');
    for (const each of [late, good]) dispatcher.add(makeTarget('a'), each);
    dispatcher.pump();
    await runEventLoop();
    expect(sending.map((each) => each.job)).toEqual([good]);
    expect(released).toEqual([late]);
  });

  it('that is about to be released is returned by a stop', async () => {
    const { dispatcher, sending, released } = makeDispatcher();
    const late = makeJob('a', { leaseEndsAt: performance.now() + 15_000 });
    const good = makeJob('a');
    for (const each of [late, good]) dispatcher.add(makeTarget('a'), each);
    dispatcher.pump();
    expect([...dispatcher.stop(), ...sending.map((each) => each.job)]).toEqual(expect.arrayContaining([late, good]));
    await runEventLoop();
    expect(released).toEqual([]);
  });

  it('that is claimed again while it is in memory is sent once', async () => {
    const { dispatcher, sending } = makeDispatcher();
    const first = makeJob('a');
    for (let count = 0; count < 3; count += 1) dispatcher.add(makeTarget('a'), { ...first });
    dispatcher.pump();
    expect(sending).toHaveLength(1);
    await sending[0]?.finish();
    dispatcher.add(makeTarget('a'), { ...first });
    dispatcher.pump();
    expect(sending).toHaveLength(1);
  });

  it('goes to the newest URL of its target', async () => {
    const urls: string[] = [];
    let mayStart = false;
    const { dispatcher } = makeDispatcher({
      mayStart: () => mayStart,
      send: async (_, { path }) => {
        urls.push(path);
        return { durationMs: 1, succeeded: true, responseStatus: 200 };
      },
    });
    dispatcher.add(makeTarget('a'), makeJob('a'));
    dispatcher.updateTarget({ ...makeTarget('a'), path: '/new' });
    mayStart = true;
    dispatcher.pump();
    expect(urls).toEqual(['/new']);
  });

  it('waits while results cannot be recorded', async () => {
    let mayStart = false;
    const { dispatcher, sending, fill } = makeDispatcher({ mayStart: () => mayStart });
    await fill('a', 2);
    expect(sending).toHaveLength(0);
    mayStart = true;
    dispatcher.pump();
    expect(sending).toHaveLength(2);
  });

  it('is stored once if it takes long, unless its attempt has ended', async () => {
    const entry = { id: 'row', takes: 1, unstored: 3, leaseEndsAt: performance.now() + 10_000 };
    const { dispatcher, sending, storeDue, fill } = makeDispatcher({ targetConcurrency: 2 });
    await fill('a', 3, () => ({ entry, leaseEndsAt: entry.leaseEndsAt }));
    const [ended] = sending;
    dispatcher.markAttemptEnded(ended?.job as Job);
    await vi.waitFor(() => expect(storeDue).toHaveLength(2), 5_000);
    await sleep(300);
    expect(storeDue).toHaveLength(2);
    expect(storeDue).not.toContain(ended?.job);
  });

  it('that has waited for seconds is released', async () => {
    const { dispatcher, released, fill } = makeDispatcher({ targetConcurrency: 1 });
    await fill('a', 3, () => ({ leasedAt: performance.now() - 4_500 }));
    await vi.waitFor(() => expect(released).toHaveLength(2), 5_000);
    expect(dispatcher.status()).toEqual({ underWay: 1, waiting: 0 });
  });
});

describe('a stop', () => {
  it('starts nothing more, returns the queued jobs, and takes on nothing', async () => {
    const { dispatcher, sending, fill } = makeDispatcher();
    await fill('a', 6);
    expect(dispatcher.stop()).toHaveLength(2);
    await sending[0]?.finish();
    expect(sending).toHaveLength(3);
    expect(dispatcher.attemptsInFlight()).toHaveLength(3);
    expect(dispatcher.add(makeTarget('b'), makeJob('b'))).toBe(false);
    expect(dispatcher.admission.roomOf('b')).toBe(0);
  });
});

describe('an attempt', () => {
  const REFUSED = { succeeded: false, responseStatus: null };

  it('to an unreachable target is paced, one to a target that answers well starts at once', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 400 });
    await fill('well/a', 1);
    await finishAll('well/a');
    const refusing = Array.from({ length: 60 }, (_, index) => `refusing/${index}`);
    for (const id of refusing) {
      await fill(id, 1);
      await finishAll(id, REFUSED);
    }
    for (const id of refusing) dispatcher.add(makeTarget(id), makeJob(id));
    dispatcher.pump();
    await runEventLoop();
    expect(sending.length).toBeLessThan(30);
    dispatcher.add(makeTarget('well/a'), makeJob('well/a'));
    expect(countOf(sending, 'well/a')).toBe(0);
    dispatcher.pump();
    expect(countOf(sending, 'well/a')).toBe(1);
    await untilSteady(sending);
    expect(countOfProject(sending, 'refusing')).toBe(60);
  });

  it('to a target that answers well starts at once, even after the target was idle', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 400 });
    await fill('well/a', 1);
    await finishAll('well/a');
    dispatcher.evict();
    for (let index = 0; index < 60; index += 1) dispatcher.add(makeTarget(`new/${index}`), makeJob(`new/${index}`));
    dispatcher.pump();
    dispatcher.add(makeTarget('well/a'), makeJob('well/a'));
    dispatcher.pump();
    // On a busy machine, those before it have used up this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(countOf(sending, 'well/a')).toBe(1);
    expect(sending.length).toBeLessThan(30);
  });
});

describe('a target', () => {
  it('never has more attempts in flight than slots', async () => {
    const { sending, fill } = makeDispatcher();
    await fill('a', 10);
    expect(sending).toHaveLength(4);
    await sending[0]?.finish();
    expect(sending).toHaveLength(4);
  });

  it('takes turns with the other targets of its project', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 8 });
    await fill('p/much', 40);
    await fill('p/little', 3);
    for (let count = 0; count < 4; count += 1) await sending[0]?.finish();
    expect(countOf(sending, 'p/little')).toBeGreaterThanOrEqual(2);
  });

  it('of a customer takes turns with other customers, however many targets they have', async () => {
    const { dispatcher, sending } = makeDispatcher({ concurrency: 8 });
    const add = (id: string, customerId: string, count: number) => {
      for (let index = 0; index < count; index += 1) dispatcher.add({ ...makeTarget(id), customerId }, makeJob(id));
    };
    const addLarge = (count: number) => {
      for (let index = 0; index < 20; index += 1) add(`p/large-${index}`, 'large', count);
    };
    addLarge(1);
    add('p/small', 'small', 1);
    for (dispatcher.pump(), await untilSteady(sending); sending.length > 0; await untilSteady(sending)) {
      await sending[0]?.finish();
    }
    addLarge(4);
    dispatcher.pump();
    await untilSteady(sending);
    add('p/small', 'small', 4);
    dispatcher.pump();
    for (let count = 0; count < 8; count += 1) {
      await sending[0]?.finish();
      await untilSteady(sending);
    }
    expect(countOf(sending, 'p/small')).toBeGreaterThanOrEqual(3);
  });

  it('loses slots down to one while it hangs, and gets them back when it answers', async () => {
    const { sending, fill, finishAll } = makeDispatcher();
    for (let round = 0; round < 3; round += 1) {
      await fill('a', 8);
      await finishAll('a', { durationMs: 15_000 });
    }
    await fill('a', 2);
    expect(countOf(sending, 'a')).toBe(1);
    for (let count = 0; count < 5; count += 1) {
      await sending[0]?.finish();
      await fill('a', 4);
    }
    expect(countOf(sending, 'a')).toBe(4);
  });

  it('keeps what is known of it when a job was not sent, and learns from the next that is', async () => {
    const { sending, fill, finishAll } = makeDispatcher();
    for (let round = 0; round < 3; round += 1) {
      await fill('a', 8);
      await finishAll('a', { durationMs: 15_000 });
    }
    for (let count = 0; count < 3; count += 1) {
      await fill('a', 2);
      await sending[0]?.finish(null);
    }
    await fill('a', 2);
    expect(countOf(sending, 'a')).toBe(1);
    await sending[0]?.finish();
    await fill('a', 4);
    expect(countOf(sending, 'a')).toBe(2);
  });

  it('that turns out slow has most of its queued jobs released', async () => {
    const { dispatcher, released, fill, finishAll } = makeDispatcher();
    await fill('a', 40);
    await finishAll('a', { durationMs: 15_000 });
    expect(released.length).toBeGreaterThan(25);
    expect(dispatcher.admission.maySendUnstored(makeTarget('a'))).toBe(false);
  });
});

describe('a project', () => {
  it('that is alone leaves slots free, so that a new project starts at once', async () => {
    const { dispatcher, sending, fill } = makeDispatcher();
    for (let index = 0; index < 240; index += 1) {
      const id = `greedy/${index % 60}`;
      dispatcher.add(makeTarget(id), makeJob(id));
    }
    dispatcher.pump();
    await untilSteady(sending);
    expect(countOfProject(sending, 'greedy')).toBe(80);
    await fill('newcomer', 4);
    expect(countOfProject(sending, 'newcomer')).toBe(4);
  });

  it('gets an even share of the slots under full load', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 40 });
    for (const project of ['a', 'b', 'c', 'd']) {
      for (let index = 0; index < 20; index += 1) await fill(`${project}/${index}`, 20);
    }
    // Project a had all slots until the others had jobs.
    for (let count = 0; count < 400; count += 1) {
      await sending[0]?.finish();
      await sleep(2);
    }
    for (const project of ['a', 'b', 'c', 'd']) {
      expect(countOfProject(sending, project)).toBeGreaterThanOrEqual(5);
      expect(countOfProject(sending, project)).toBeLessThanOrEqual(18);
    }
  });

  it('has at most half of the jobs when it is alone, and fewer when others have jobs too', async () => {
    const { dispatcher, fill } = makeDispatcher({ mayStart: () => false });
    expect(dispatcher.admission.roomOf('a')).toBe(MAX_JOBS / 2);
    await fill('a', MAX_JOBS / 2);
    expect(dispatcher.admission.roomOf('a')).toBe(0);
    expect(dispatcher.admission.roomOf('b')).toBe(MAX_JOBS / 4);
    for (let index = 0; index < 9; index += 1) await fill(`other-${index}`, 10);
    expect(dispatcher.admission.roomOf('b')).toBeLessThanOrEqual(MAX_JOBS / 4);
    expect(dispatcher.admission.roomOf('b')).toBeGreaterThan(0);
  });

  it('has a first job although others use all of them, up to four times as many', async () => {
    const { dispatcher, fill } = makeDispatcher({ mayStart: () => false });
    const { admission } = dispatcher;
    for (let index = 0; index < 20; index += 1) await fill(`other-${index}`, MAX_JOBS / 20);
    expect([admission.roomOf('other-0'), admission.maySendUnstored(makeTarget('other-0'))]).toEqual([0, false]);
    expect([admission.roomOf('new'), admission.maySendUnstored(makeTarget('new'))]).toEqual([1, true]);
    await fill('new', 1);
    expect([admission.roomOf('new'), admission.maySendUnstored(makeTarget('new'))]).toEqual([0, false]);
    await fill('other-0', 3 * MAX_JOBS);
    expect([admission.roomOf('newer'), admission.maySendUnstored(makeTarget('newer'))]).toEqual([0, false]);
  });

  it('keeps room in memory for its targets that answer beside 200 new ones, which may hang', async () => {
    let mayStart = true;
    const { dispatcher, fill, finishAll } = makeDispatcher({ mayStart: () => mayStart });
    await fill('p/known', 1);
    await finishAll('p/known');
    mayStart = false;
    for (let index = 0; index < 200; index += 1) {
      expect(dispatcher.admission.maySendUnstored(makeTarget(`p/new-${index}`))).toBe(true);
      dispatcher.add(makeTarget(`p/new-${index}`), makeJob(`p/new-${index}`));
    }
    dispatcher.backlog.set('p/newer', 'p', true);
    const { admission, backlog } = dispatcher;
    expect(admission.maySendUnstored(makeTarget('p/newer'))).toBe(false);
    expect(backlog.selectRefills(1_000).size).toBe(0);
    expect(admission.maySendUnstored(makeTarget('p/known'))).toBe(true);
    backlog.set('p/known', 'p', true);
    expect([...backlog.selectRefills(1_000).keys()]).toEqual(['p/known']);
  });

  it('has at most half of the jobs for each customer, so that others of its customers have room', async () => {
    const { dispatcher } = makeDispatcher({ mayStart: () => false });
    const { admission } = dispatcher;
    const ofCustomer = { ...makeTarget('p/a'), customerId: 'busy' };
    while (admission.firstAttemptRoomOf('p:busy') > 0) dispatcher.add(ofCustomer, makeJob('p/a'));
    expect(admission.firstAttemptRoomOf('p:other')).toBeGreaterThan(MAX_JOBS / 10);
    expect(admission.firstAttemptRoomOf('p')).toBeGreaterThan(MAX_JOBS / 10);
  });

  it('has at most half of the bytes when it is alone, and each message counts once', async () => {
    const { dispatcher, fill } = makeDispatcher({ mayStart: () => false });
    const large = (id: string) => () => ({
      message: { id, kind: 'event' as const, headers: {}, body: Buffer.from('{}'), bytes: MAX_BYTES / 8 },
    });
    await fill('a', 50, large('one'));
    expect(dispatcher.admission.byteRoomOf('a')).toBe((MAX_BYTES * 3) / 8);
    for (const id of ['two', 'three', 'four']) await fill('a', 1, large(id));
    expect(dispatcher.admission.roomOf('a')).toBe(0);
    expect(dispatcher.admission.roomOf('b')).toBeGreaterThan(0);
  });
});

describe('a refill', () => {
  it('is selected for targets with a backlog, and is small for a target that has not answered yet', async () => {
    const { dispatcher, fill, finishAll } = makeDispatcher();
    await fill('a', 8);
    for (let round = 0; round < 30; round += 1) {
      await finishAll('a');
      await fill('a', 4);
    }
    await finishAll('a');
    dispatcher.backlog.set('a', 'a', true);
    dispatcher.backlog.set('b', 'b', true);
    const wanted = dispatcher.backlog.selectRefills(1_000);
    expect(wanted.get('a')).toBeGreaterThan(50);
    expect(wanted.get('b')).toBeLessThanOrEqual(8);
    expect(dispatcher.admission.maySendUnstored(makeTarget('a'))).toBe(false);
    dispatcher.backlog.set('a', 'a', false);
    expect(dispatcher.admission.maySendUnstored(makeTarget('a'))).toBe(true);
  });

  it('is shared evenly among projects, and among the targets of a project', () => {
    const { dispatcher } = makeDispatcher();
    for (const id of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1']) dispatcher.backlog.set(id, projectOf(id), true);
    const wanted = dispatcher.backlog.selectRefills(8);
    expect(['a/1', 'a/2', 'a/3', 'a/4', 'b/1'].map((id) => wanted.get(id))).toEqual([1, 1, 1, 1, 4]);
  });

  it('is shared evenly among the customers of a project', () => {
    const { dispatcher } = makeDispatcher({ mayStart: () => false });
    const targets = { 'a/1': 'large', 'a/2': 'large', 'a/3': 'large', 'a/4': 'small' };
    for (const [id, customerId] of Object.entries(targets)) {
      dispatcher.add({ ...makeTarget(id), customerId }, makeJob(id));
      dispatcher.backlog.set(id, 'a', true);
    }
    const wanted = dispatcher.backlog.selectRefills(12);
    expect(Object.keys(targets).map((id) => wanted.get(id))).toEqual([2, 2, 2, 6]);
  });

  it('reaches every target with a backlog, however many there are', () => {
    const { dispatcher } = makeDispatcher();
    const ids = Array.from({ length: 50 }, (_, index) => `project/${index}`);
    for (const id of ids) dispatcher.backlog.set(id, 'project', true);
    const served = Array.from({ length: 5 }, () => [...dispatcher.backlog.selectRefills(10).keys()]).flat();
    expect(new Set(served)).toEqual(new Set(ids));
  });

  it('whose claim returns nothing is repeated a few times, some milliseconds apart', async () => {
    const { dispatcher } = makeDispatcher();
    dispatcher.backlog.set('a', 'a', true);
    let tries = 0;
    for (; tries < 50; tries += 1) {
      const wanted = dispatcher.backlog.selectRefills(10).get('a');
      if (wanted !== undefined) dispatcher.backlog.learnFromClaim('a', 0, wanted);
      const inMs = dispatcher.backlog.nextReclaimInMs();
      // Null also when the pause has just ended.
      if (inMs === null && dispatcher.backlog.selectRefills(10).size === 0) break;
      expect(inMs ?? 0).toBeLessThan(800);
      await sleep(inMs ?? 0);
    }
    expect(tries).toBeGreaterThanOrEqual(4);
    expect(tries).toBeLessThan(50);
  });

  it('is claimed again at once after an empty claim when another delivery is stored', () => {
    const { dispatcher } = makeDispatcher();
    dispatcher.backlog.set('a', 'a', true);
    dispatcher.backlog.learnFromClaim('a', 0, 10);
    expect(dispatcher.backlog.selectRefills(10).size).toBe(0);
    dispatcher.backlog.set('a', 'a', true);
    expect(dispatcher.backlog.selectRefills(10).size).toBe(1);
  });

  it('keeps its pause for a rate limit when another delivery is stored', () => {
    const { dispatcher } = makeDispatcher();
    dispatcher.backlog.set('a', 'a', true);
    dispatcher.backlog.learnFromClaim('a', 0, 10);
    dispatcher.backlog.pause('a', 60_000);
    dispatcher.backlog.set('a', 'a', true);
    expect(dispatcher.backlog.selectRefills(10).size).toBe(0);
  });

  it('waits while the project has no slow slot left', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 8, targetConcurrency: 2 });
    for (const id of ['p/1', 'p/2', 'p/3']) {
      await fill(id, 2);
      await finishAll(id, { durationMs: 15_000 });
      await fill(id, 2);
    }
    dispatcher.backlog.set('p/4', 'p', true);
    expect(dispatcher.backlog.selectRefills(10).size).toBe(0);
    while (sending.length > 0) await sending[0]?.finish({ durationMs: 15_000 });
    expect(dispatcher.backlog.selectRefills(10).size).toBe(1);
  });

  it('looks at no targets of owners without room, so those of others are found at once', async () => {
    const { dispatcher, fill } = makeDispatcher({ mayStart: () => false });
    const owners = Array.from({ length: 20 }, (_, index) => `owner-${index}`);
    for (const owner of owners) await fill(owner, MAX_JOBS / owners.length);
    for (const owner of owners) {
      for (let index = 0; index < 250; index += 1) dispatcher.backlog.set(`${owner}/${index}`, owner, true);
    }
    const looks = vi.spyOn(TargetQueue.prototype, 'needsRefill', 'get');
    expect(dispatcher.backlog.selectRefills(200).size).toBe(0);
    expect([looks.mock.calls.length, dispatcher.backlog.nextReclaimInMs()]).toEqual([0, null]);
    looks.mockRestore();
    dispatcher.backlog.set('light/due', 'light', true);
    expect([...dispatcher.backlog.selectRefills(200).keys()]).toEqual(['light/due']);
  });

  it('looks at more of many targets ten times a second while it has no room for those before, and else at once', async () => {
    const { dispatcher, fill, finishAll } = makeDispatcher({ concurrency: 8, targetConcurrency: 2 });
    for (const id of ['p/1', 'p/2', 'p/3']) {
      await fill(id, 2);
      await finishAll(id, { durationMs: 15_000 });
      await fill(id, 2);
    }
    for (let index = 0; index < 1_200; index += 1) dispatcher.backlog.set(`p/due-${index}`, 'p', true);
    expect(dispatcher.backlog.selectRefills(200).size).toBe(0);
    expect(dispatcher.backlog.nextReclaimInMs()).toBeGreaterThan(0);
    dispatcher.backlog.set('light/due', 'light', true);
    expect(dispatcher.backlog.selectRefills(200).size).toBe(1);
    expect(dispatcher.backlog.nextReclaimInMs()).toBe(0);
  });
});
