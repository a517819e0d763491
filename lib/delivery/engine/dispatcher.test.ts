import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Dispatcher, type DispatcherOptions } from './dispatcher';
import type { Job, Target } from './types';

const target = (id: string): Target => ({
  id,
  kind: 'endpoint',
  origin: 'http://receiver.test',
  path: '/',
  signingKeys: [],
  headers: {},
  scheduleSeconds: [],
  isFailing: false,
  fault: null,
});

let made = 0;
const job = (options: Partial<Job> = {}): Job => ({
  deliveryId: `delivery-${made++}`,
  message: { id: 'event', contentType: 'application/json', body: Buffer.from('{}') },
  attemptNumber: 1,
  scheduleStep: 0,
  leaseEndsAt: performance.now() + 60_000,
  ...options,
});

interface Sending {
  targetId: string;
  job: Job;
  finish(durationMs?: number): Promise<void>;
}

/** A dispatcher whose attempts end when the test says so. */
function makeDispatcher(options: Partial<DispatcherOptions> = {}) {
  const sending: Sending[] = [];
  const surplus: Job[] = [];
  const dispatcher = new Dispatcher({
    concurrency: 100,
    targetConcurrency: 4,
    send: (sent, to) =>
      new Promise((resolve) => {
        const entry: Sending = {
          targetId: to.id,
          job: sent,
          finish: async (durationMs = 1) => {
            sending.splice(sending.indexOf(entry), 1);
            resolve(durationMs);
            await sleep(0);
          },
        };
        sending.push(entry);
      }),
    mayStart: () => true,
    onRoom: () => undefined,
    onSurplus: (jobs) => surplus.push(...jobs),
    ...options,
  });
  const fill = (id: string, count: number) => {
    for (let index = 0; index < count; index += 1) dispatcher.add(target(id), job());
    dispatcher.pump();
  };
  const finishAll = async (id: string, durationMs: number) => {
    for (const entry of sending.filter(({ targetId }) => targetId === id)) await entry.finish(durationMs);
  };
  return { dispatcher, sending, surplus, fill, finishAll };
}

const countOf = (sending: Sending[], id: string) => sending.filter(({ targetId }) => targetId === id).length;

describe('a target', () => {
  it('never has more attempts under way than its slots', async () => {
    const { sending, fill } = makeDispatcher();
    fill('a', 10);
    expect(sending).toHaveLength(4);
    await sending[0]?.finish();
    expect(sending).toHaveLength(4);
  });

  it('that hangs leaves the other slots to the others', () => {
    const { sending, fill } = makeDispatcher();
    fill('hanging', 50);
    fill('healthy', 2);
    expect([countOf(sending, 'hanging'), countOf(sending, 'healthy')]).toEqual([4, 2]);
  });

  it('takes turns with the others when all slots are taken', async () => {
    const { sending, fill } = makeDispatcher({ concurrency: 4 });
    fill('much', 40);
    fill('little', 3);
    for (let count = 0; count < 4; count += 1) await sending[0]?.finish();
    expect(countOf(sending, 'little')).toBeGreaterThanOrEqual(2);
  });

  it('loses slots while it hangs, down to one, and gets them back by answering', async () => {
    const { sending, fill, finishAll } = makeDispatcher();
    for (let round = 0; round < 3; round += 1) {
      fill('a', 8);
      await finishAll('a', 15_000);
    }
    fill('a', 2);
    expect(countOf(sending, 'a')).toBe(1);
    for (let count = 0; count < 5; count += 1) {
      await sending[0]?.finish(1);
      fill('a', 4);
    }
    expect(countOf(sending, 'a')).toBe(4);
  });

  it('that turns out slow has most of what waits for it handed back', async () => {
    const { dispatcher, sending, surplus, fill, finishAll } = makeDispatcher();
    fill('a', 40);
    await finishAll('a', 15_000);
    expect(surplus.length).toBeGreaterThan(25);
    expect(sending.length + surplus.length + 4).toBeLessThanOrEqual(40);
    expect(dispatcher.roomByTarget().known.get('a')).toBe(0);
  });
});

describe('room', () => {
  it('is small for a target that has not answered yet, and grows as it answers quickly', async () => {
    const { dispatcher, sending, fill } = makeDispatcher();
    const { other } = dispatcher.roomByTarget();
    expect(other).toBeLessThanOrEqual(8);
    fill('a', 40);
    while (sending.length > 0) await sending[0]?.finish(1);
    dispatcher.noteBacklog('a', true);
    expect(dispatcher.wanted(1_000).get('a')).toBeGreaterThan(50);
  });

  it('is none for new deliveries while older ones wait in the database', () => {
    const { dispatcher } = makeDispatcher();
    dispatcher.noteBacklog('a', true);
    expect(dispatcher.roomByTarget().known.get('a')).toBe(0);
    dispatcher.noteBacklog('a', false);
    expect(dispatcher.roomByTarget().known.has('a')).toBe(false);
  });

  it('is shared evenly among the targets with a backlog', () => {
    const { dispatcher } = makeDispatcher();
    for (const id of ['a', 'b', 'c', 'd']) dispatcher.noteBacklog(id, true);
    expect([...dispatcher.wanted(8).values()]).toEqual([2, 2, 2, 2]);
  });

  it('comes round to every target with a backlog, however many there are', () => {
    const { dispatcher } = makeDispatcher();
    const ids = Array.from({ length: 50 }, (_, index) => `target-${index}`);
    for (const id of ids) dispatcher.noteBacklog(id, true);
    const served = Array.from({ length: 5 }, () => [...dispatcher.wanted(10).keys()]).flat();
    expect(new Set(served)).toEqual(new Set(ids));
  });

  it('is waited for, but never longer than asked', async () => {
    const { dispatcher, fill } = makeDispatcher();
    fill('a', 2_100);
    const started = performance.now();
    await dispatcher.room(30);
    expect(performance.now() - started).toBeGreaterThanOrEqual(25);
  });
});

describe('a job', () => {
  it('is handed back, not sent, when its lease would end under way', () => {
    const { dispatcher, sending, surplus } = makeDispatcher();
    const late = job({ leaseEndsAt: performance.now() + 15_000 });
    const good = job();
    for (const each of [late, good]) dispatcher.add(target('a'), each);
    dispatcher.pump();
    expect(sending.map((each) => each.job)).toEqual([good]);
    expect(surplus).toEqual([late]);
  });

  it('that was claimed again while in hand is sent once', async () => {
    const { dispatcher, sending } = makeDispatcher();
    const first = job();
    for (let count = 0; count < 3; count += 1) dispatcher.add(target('a'), { ...first });
    dispatcher.pump();
    expect(sending).toHaveLength(1);
    await sending[0]?.finish();
    dispatcher.add(target('a'), { ...first });
    dispatcher.pump();
    expect(sending).toHaveLength(0);
    dispatcher.letGo(first.deliveryId);
    dispatcher.add(target('a'), { ...first });
    dispatcher.pump();
    expect(sending).toHaveLength(1);
  });

  it('goes to the newest reading of its target', () => {
    const urls: string[] = [];
    const { dispatcher } = makeDispatcher({
      mayStart: () => urls.length === 0,
      send: async (_, { path }) => urls.push(path),
    });
    dispatcher.add(target('a'), job());
    dispatcher.renew({ ...target('a'), path: '/new' });
    dispatcher.pump();
    expect(urls).toEqual(['/new']);
  });

  it('waits while results cannot be recorded', () => {
    let mayStart = false;
    const { dispatcher, sending, fill } = makeDispatcher({ mayStart: () => mayStart });
    fill('a', 2);
    expect(sending).toHaveLength(0);
    mayStart = true;
    dispatcher.pump();
    expect(sending).toHaveLength(2);
  });
});

describe('stopping', () => {
  it('starts nothing more, gives back what waits, and takes nothing on', async () => {
    const { dispatcher, sending, fill } = makeDispatcher();
    fill('a', 6);
    expect(dispatcher.stop()).toHaveLength(2);
    await sending[0]?.finish();
    expect(sending).toHaveLength(3);
    expect(dispatcher.attemptsUnderWay()).toHaveLength(3);
    expect(dispatcher.add(target('b'), job())).toBe(false);
  });
});
