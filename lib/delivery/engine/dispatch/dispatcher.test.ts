import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Job, Target } from '@/lib/delivery/engine/types';
import { MAX_BYTES, MAX_JOBS } from './admission';
import { Dispatcher, type DispatcherOptions } from './dispatcher';
import type { AttemptEnd } from './target-queue';

/** A target `project/name`, or of a project of its own. */
const projectOf = (id: string) => id.split('/')[0] ?? id;
const target = (id: string): Target => ({
  id,
  kind: 'endpoint',
  projectId: projectOf(id),
  origin: 'http://receiver.test',
  path: '/',
  signingKeys: [],
  headers: {},
  scheduleSeconds: [],
  failingSinceMs: null,
  version: '1',
  fault: null,
});

let made = 0;
const job = (targetId: string, options: Partial<Job> = {}): Job => ({
  deliveryId: `delivery-${made++}`,
  projectId: projectOf(targetId),
  targetId,
  targetKind: 'endpoint',
  source: { eventId: 'event', incomingEventId: null },
  message: { id: 'event', contentType: 'application/json', body: Buffer.from('{}') },
  attemptNumber: 1,
  scheduleStep: 0,
  leaseEndsAt: performance.now() + 60_000,
  leasedAt: performance.now(),
  entry: null,
  storing: null,
  ...options,
});

interface Sending {
  targetId: string;
  job: Job;
  finish(end?: Partial<AttemptEnd>): Promise<void>;
}

/** A dispatcher whose attempts end when the test says so. */
function makeDispatcher(options: Partial<DispatcherOptions> = {}) {
  const sending: Sending[] = [];
  const surplus: Job[] = [];
  const lasting: Job[] = [];
  const dispatcher = new Dispatcher({
    concurrency: 100,
    targetConcurrency: 4,
    send: (sent, to) =>
      new Promise((resolve) => {
        const entry: Sending = {
          targetId: to.id,
          job: sent,
          finish: async (end) => {
            sending.splice(sending.indexOf(entry), 1);
            resolve({ durationMs: 1, succeeded: true, responseStatus: 200, ...end });
            await turns();
            dispatcher.forget(sent.deliveryId);
          },
        };
        sending.push(entry);
      }),
    mayStart: () => true,
    onRoom: () => undefined,
    onRelease: (jobs) => surplus.push(...jobs),
    onStoreDue: (jobs) => lasting.push(...jobs),
    ...options,
  });
  onTestFinished(() => void dispatcher.stop());
  const fill = async (id: string, count: number, made: () => Partial<Job> = () => ({})) => {
    for (let index = 0; index < count; index += 1) dispatcher.add(target(id), job(id, made()));
    dispatcher.pump();
    await untilSteady(sending);
  };
  const finishAll = async (id: string, end?: Partial<AttemptEnd>) => {
    for (const entry of sending.filter(({ targetId }) => targetId === id)) await entry.finish(end);
  };
  return { dispatcher, sending, surplus, lasting, fill, finishAll };
}

/** Runs a few turns of the event loop, in which a dispatcher starts attempts. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until nothing more is started: what is not known to answer well is started at a pace. */
async function untilSteady(sending: readonly unknown[]): Promise<void> {
  for (let before = -1; before !== sending.length; ) {
    before = sending.length;
    await sleep(14);
    await turns();
  }
}

const countOf = (sending: Sending[], id: string) => sending.filter(({ targetId }) => targetId === id).length;
const countOfProject = (sending: Sending[], id: string) =>
  sending.filter(({ targetId }) => projectOf(targetId) === id).length;

describe('a target', () => {
  it('never has more attempts under way than its slots', async () => {
    const { sending, fill } = makeDispatcher();
    await fill('a', 10);
    expect(sending).toHaveLength(4);
    await sending[0]?.finish();
    expect(sending).toHaveLength(4);
  });

  it('takes turns with the others of its project', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 8 });
    await fill('p/much', 40);
    await fill('p/little', 3);
    for (let count = 0; count < 4; count += 1) await sending[0]?.finish();
    expect(countOf(sending, 'p/little')).toBeGreaterThanOrEqual(2);
  });

  it('loses slots while it hangs, down to one, and gets them back by answering', async () => {
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

  it('that turns out slow has most of what waits for it given back', async () => {
    const { dispatcher, surplus, fill, finishAll } = makeDispatcher();
    await fill('a', 40);
    await finishAll('a', { durationMs: 15_000 });
    expect(surplus.length).toBeGreaterThan(25);
    expect(dispatcher.admission.maySendUnstored('a', 'a')).toBe(false);
  });
});

describe('a project', () => {
  it('alone leaves slots free, so that a newcomer starts at once', async () => {
    const { dispatcher, sending, fill } = makeDispatcher();
    for (let index = 0; index < 240; index += 1) {
      const id = `greedy/${index % 60}`;
      dispatcher.add(target(id), job(id));
    }
    dispatcher.pump();
    await untilSteady(sending);
    expect(countOfProject(sending, 'greedy')).toBe(80);
    await fill('newcomer', 4);
    expect(countOfProject(sending, 'newcomer')).toBe(4);
  });

  it('gets an even share of the slots when all are wanted', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 40 });
    for (const project of ['a', 'b', 'c', 'd']) {
      for (let index = 0; index < 20; index += 1) await fill(`${project}/${index}`, 20);
    }
    // The first one had them alone until the others came.
    for (let count = 0; count < 400; count += 1) {
      await sending[0]?.finish();
      await sleep(2);
    }
    for (const project of ['a', 'b', 'c', 'd']) {
      expect(countOfProject(sending, project)).toBeGreaterThanOrEqual(5);
      expect(countOfProject(sending, project)).toBeLessThanOrEqual(18);
    }
  });

  it('holds at most half of the jobs alone, and less as others come', async () => {
    const { dispatcher, fill } = makeDispatcher({ mayStart: () => false });
    expect(dispatcher.admission.roomOf('a')).toBe(MAX_JOBS / 2);
    await fill('a', MAX_JOBS / 2);
    expect(dispatcher.admission.roomOf('a')).toBe(0);
    expect(dispatcher.admission.roomOf('b')).toBe(MAX_JOBS / 4);
    for (let index = 0; index < 9; index += 1) await fill(`other-${index}`, 10);
    expect(dispatcher.admission.roomOf('b')).toBeLessThanOrEqual(MAX_JOBS / 4);
    expect(dispatcher.admission.roomOf('b')).toBeGreaterThan(0);
  });

  it('holds at most half of the bytes alone, each message counted once', async () => {
    const { dispatcher, fill } = makeDispatcher({ mayStart: () => false });
    const large = (id: string) => () => ({
      message: { id, contentType: 'application/json', body: Buffer.alloc(MAX_BYTES / 8) },
    });
    await fill('a', 50, large('one'));
    expect(dispatcher.admission.byteRoomOf('a')).toBe((MAX_BYTES * 3) / 8);
    for (const id of ['two', 'three', 'four']) await fill('a', 1, large(id));
    expect(dispatcher.admission.roomOf('a')).toBe(0);
    expect(dispatcher.admission.roomOf('b')).toBeGreaterThan(0);
  });
});

describe('starts', () => {
  const REFUSED = { succeeded: false, responseStatus: null };

  it('of targets that could not be reached are paced, those of a target that answers well come at once', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 400 });
    await fill('well/a', 1);
    await finishAll('well/a');
    const refusing = Array.from({ length: 60 }, (_, index) => `refusing/${index}`);
    for (const id of refusing) {
      await fill(id, 1);
      await finishAll(id, REFUSED);
    }
    for (const id of refusing) dispatcher.add(target(id), job(id));
    dispatcher.pump();
    await turns();
    expect(sending.length).toBeLessThan(30);
    dispatcher.add(target('well/a'), job('well/a'));
    expect(countOf(sending, 'well/a')).toBe(0);
    dispatcher.pump();
    expect(countOf(sending, 'well/a')).toBe(1);
    await untilSteady(sending);
    expect(countOfProject(sending, 'refusing')).toBe(60);
  });

  it('of a target that answers well come at once also after it had nothing to do for a while', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 400 });
    await fill('well/a', 1);
    await finishAll('well/a');
    dispatcher.evictIdle();
    for (let index = 0; index < 60; index += 1) dispatcher.add(target(`new/${index}`), job(`new/${index}`));
    dispatcher.pump();
    dispatcher.add(target('well/a'), job('well/a'));
    dispatcher.pump();
    expect(countOf(sending, 'well/a')).toBe(1);
    expect(sending.length).toBeLessThan(30);
  });
});

describe('targets that are slow or failing', () => {
  const siege = async ({ fill, sending, finishAll }: ReturnType<typeof makeDispatcher>, end: Partial<AttemptEnd>) => {
    for (let index = 0; index < 30; index += 1) {
      const id = `slow-${Math.floor(index / 3)}/${index}`;
      await fill(id, 3);
      await finishAll(id, end);
      await fill(id, 40);
    }
    return sending.length;
  };

  it('use half as many slots as there are for quick ones', async () => {
    const made = makeDispatcher({ concurrency: 20 });
    expect(await siege(made, { durationMs: 15_000 })).toBeLessThanOrEqual(10);
    expect(made.sending.length).toBeGreaterThanOrEqual(8);
    await made.fill('quick', 4);
    expect(countOf(made.sending, 'quick')).toBe(4);
  });

  it('are failing after a few failures in a row, until they succeed', async () => {
    const made = makeDispatcher({ concurrency: 20 });
    const slow = await siege(made, { succeeded: false });
    expect(slow).toBeLessThanOrEqual(10);
    await made.sending[0]?.finish({ succeeded: true });
    expect(made.sending.length).toBeGreaterThan(slow);
  });

  it('share their slots evenly between projects', async () => {
    const made = makeDispatcher({ concurrency: 40 });
    await siege(made, { durationMs: 15_000 });
    // The first ones took what the last ones found taken.
    for (let count = 0; count < 60; count += 1) {
      const [first] = made.sending;
      await made.fill(first?.targetId ?? '', 1);
      await first?.finish({ durationMs: 15_000 });
    }
    for (let project = 0; project < 10; project += 1) {
      expect(countOfProject(made.sending, `slow-${project}`)).toBeGreaterThanOrEqual(1);
      expect(countOfProject(made.sending, `slow-${project}`)).toBeLessThanOrEqual(3);
    }
  });

  it('give their slots back within about a second when nobody knew that they hang', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 10, targetConcurrency: 1 });
    for (let index = 0; index < 40; index += 1) await fill(`hanging/${index}`, 1);
    const first = sending.length;
    expect(first).toBeLessThan(10);
    await vi.waitFor(() => expect(countOfProject(sending, 'hanging')).toBeGreaterThanOrEqual(first), 5_000);
    await sleep(1_300);
    for (let index = 0; index < 8; index += 1) await fill(`healthy-${index}`, 1);
    expect(sending.filter(({ targetId }) => targetId.startsWith('healthy'))).toHaveLength(8);
    // The other targets of that project have to wait for its slow slots: they may hang as well.
    expect(countOfProject(sending, 'hanging')).toBeLessThanOrEqual(first + 2);
  });

  it('never have more under way than twice the slots, whatever they pretended', async () => {
    const { sending, fill, finishAll } = makeDispatcher({ concurrency: 10, targetConcurrency: 1 });
    const ids = Array.from({ length: 60 }, (_, index) => `liar/${index}`);
    for (const id of ids) {
      await fill(id, 1);
      await finishAll(id);
    }
    for (const id of ids) await fill(id, 3);
    await sleep(3_500);
    expect(sending.length).toBeGreaterThan(10);
    expect(sending.length).toBeLessThanOrEqual(20);
  });
});

describe('a claim', () => {
  it('is wanted for targets with a backlog, a few deliveries for one that has not answered yet', async () => {
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
    expect(dispatcher.admission.maySendUnstored('a', 'a')).toBe(false);
    dispatcher.backlog.set('a', 'a', false);
    expect(dispatcher.admission.maySendUnstored('a', 'a')).toBe(true);
  });

  it('is shared evenly among projects, and among the targets of each', () => {
    const { dispatcher } = makeDispatcher();
    for (const id of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1']) dispatcher.backlog.set(id, projectOf(id), true);
    const wanted = dispatcher.backlog.selectRefills(8);
    expect(['a/1', 'a/2', 'a/3', 'a/4', 'b/1'].map((id) => wanted.get(id))).toEqual([1, 1, 1, 1, 4]);
  });

  it('comes round to every target with a backlog, however many there are', () => {
    const { dispatcher } = makeDispatcher();
    const ids = Array.from({ length: 50 }, (_, index) => `project/${index}`);
    for (const id of ids) dispatcher.backlog.set(id, 'project', true);
    const served = Array.from({ length: 5 }, () => [...dispatcher.backlog.selectRefills(10).keys()]).flat();
    expect(new Set(served)).toEqual(new Set(ids));
  });

  it('that finds nothing is repeated after some milliseconds, a few times', async () => {
    const { dispatcher } = makeDispatcher();
    dispatcher.backlog.set('a', 'a', true);
    let tries = 0;
    for (; tries < 50; tries += 1) {
      const wanted = dispatcher.backlog.selectRefills(10).get('a');
      if (wanted !== undefined) dispatcher.backlog.learnFromClaim('a', 0, wanted);
      const inMs = dispatcher.backlog.nextReclaimInMs();
      if (inMs === null) break;
      expect(inMs).toBeLessThan(800);
      await sleep(inMs);
    }
    expect(tries).toBeGreaterThanOrEqual(4);
    expect(tries).toBeLessThan(50);
  });

  it('of a target whose project has used up its slow slots is wanted when some are free', async () => {
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
});

describe('a job', () => {
  it('is given back, not sent, when its lease would end under way', async () => {
    const { dispatcher, sending, surplus } = makeDispatcher();
    const late = job('a', { leaseEndsAt: performance.now() + 15_000 });
    const good = job('a');
    for (const each of [late, good]) dispatcher.add(target('a'), each);
    dispatcher.pump();
    await turns();
    expect(sending.map((each) => each.job)).toEqual([good]);
    expect(surplus).toEqual([late]);
  });

  it('is returned by a stop that comes before it is given back', async () => {
    const { dispatcher, sending, surplus } = makeDispatcher();
    const late = job('a', { leaseEndsAt: performance.now() + 15_000 });
    const good = job('a');
    for (const each of [late, good]) dispatcher.add(target('a'), each);
    dispatcher.pump();
    expect([...dispatcher.stop(), ...sending.map((each) => each.job)]).toEqual(expect.arrayContaining([late, good]));
    await turns();
    expect(surplus).toEqual([]);
  });

  it('that was claimed again while in hand is sent once', async () => {
    const { dispatcher, sending } = makeDispatcher();
    const first = job('a');
    for (let count = 0; count < 3; count += 1) dispatcher.add(target('a'), { ...first });
    dispatcher.pump();
    expect(sending).toHaveLength(1);
    await sending[0]?.finish();
    dispatcher.add(target('a'), { ...first });
    dispatcher.pump();
    expect(sending).toHaveLength(1);
  });

  it('goes to the newest reading of its target', async () => {
    const urls: string[] = [];
    let mayStart = false;
    const { dispatcher } = makeDispatcher({
      mayStart: () => mayStart,
      send: async (_, { path }) => {
        urls.push(path);
        return { durationMs: 1, succeeded: true, responseStatus: 200 };
      },
    });
    dispatcher.add(target('a'), job('a'));
    dispatcher.updateTarget({ ...target('a'), path: '/new' });
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

  it('that lasts is to be stored, once, unless its attempt has ended', async () => {
    const entry = { id: 'row', takes: 1, unstored: 3, leaseEndsAt: performance.now() + 10_000 };
    const { dispatcher, sending, lasting, fill } = makeDispatcher({ targetConcurrency: 2 });
    await fill('a', 3, () => ({ entry, leaseEndsAt: entry.leaseEndsAt }));
    const [ended] = sending;
    dispatcher.markAttemptEnded(ended?.job as Job);
    await vi.waitFor(() => expect(lasting).toHaveLength(2), 5_000);
    await sleep(300);
    expect(lasting).toHaveLength(2);
    expect(lasting).not.toContain(ended?.job);
  });

  it('that has waited for seconds is given back', async () => {
    const { dispatcher, surplus, fill } = makeDispatcher({ targetConcurrency: 1 });
    await fill('a', 3, () => ({ leasedAt: performance.now() - 4_500 }));
    await vi.waitFor(() => expect(surplus).toHaveLength(2), 5_000);
    expect(dispatcher.status()).toEqual({ underWay: 1, waiting: 0 });
  });
});

describe('stopping', () => {
  it('starts nothing more, gives back what waits, and takes nothing on', async () => {
    const { dispatcher, sending, fill } = makeDispatcher();
    await fill('a', 6);
    expect(dispatcher.stop()).toHaveLength(2);
    await sending[0]?.finish();
    expect(sending).toHaveLength(3);
    expect(dispatcher.attemptsUnderWay()).toHaveLength(3);
    expect(dispatcher.add(target('b'), job('b'))).toBe(false);
    expect(dispatcher.admission.roomOf('b')).toBe(0);
  });
});

describe('what others or earlier attempts do', () => {
  it('does not keep the backlog of an untried target of another project from being claimed', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 20 });
    for (let index = 0; index < 30; index += 1) {
      const id = `slow-${index}/x`;
      await fill(id, 1);
      await finishAll(id, { durationMs: 15_000 });
      await fill(id, 2);
    }
    expect(sending.length).toBeGreaterThanOrEqual(8);
    expect(dispatcher.admission.maySendUnstored('victim', 'victim/new')).toBe(true);
    dispatcher.backlog.set('victim/due', 'victim', true);
    expect(dispatcher.backlog.selectRefills(200).get('victim/due')).toBeGreaterThan(0);
  });

  it('does not leave a target among the failing ones after it has succeeded', async () => {
    const { dispatcher, sending, fill, finishAll } = makeDispatcher({ concurrency: 20 });
    await fill('p/x', 1);
    await finishAll('p/x');
    for (let index = 0; index < 10; index += 1) {
      await fill(`p/h${index}`, 1);
      await finishAll(`p/h${index}`, { durationMs: 15_000 });
      await fill(`p/h${index}`, 1);
    }
    await fill('p/x', 12);
    expect(countOf(sending, 'p/x')).toBe(4);
    const finishOne = (end?: Partial<AttemptEnd>) => sending.find(({ targetId }) => targetId === 'p/x')?.finish(end);
    for (let failure = 0; failure < 3; failure += 1) await finishOne({ succeeded: false });
    expect(countOf(sending, 'p/x')).toBe(3);
    await finishOne();
    dispatcher.pump();
    await turns();
    expect(countOf(sending, 'p/x')).toBe(4);
  });

  it('does not stop a target that answers, when attackers have many projects with a hanging endpoint each', async () => {
    const { sending, fill, finishAll } = makeDispatcher({ concurrency: 20 });
    await fill('victim', 1);
    await finishAll('victim');
    for (let index = 0; index < 120; index += 1) await fill(`attacker-${index}/x`, 1);
    for (let wave = 0; wave < 3; wave += 1) await sleep(1_150);
    await fill('victim', 1);
    await vi.waitFor(() => expect(countOf(sending, 'victim')).toBe(1), 2_500);
  });

  it('reaches a project that can start behind many that cannot', async () => {
    const { dispatcher, sending, fill } = makeDispatcher({ concurrency: 400, targetConcurrency: 1 });
    // Each has an attempt under way that hangs, and an untried target that waits: together they hold every slow slot.
    for (let index = 0; index < 300; index += 1) await fill(`held-${index}/x`, 1);
    await sleep(1_200);
    for (let index = 0; index < 300; index += 1) dispatcher.add(target(`held-${index}/y`), job(`held-${index}/y`));
    await turns();
    await fill('victim', 1);
    expect(countOf(sending, 'victim')).toBe(1);
  });
});
