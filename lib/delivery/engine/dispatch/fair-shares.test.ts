import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { countOf, countOfProject, makeDispatcher, makeJob, makeTarget, untilSteady } from '@/tests/delivery/dispatcher';
import { MAX_BYTES, MAX_JOBS } from './admission';

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

  it('that turns out slow has most of its queued jobs released', async () => {
    const { dispatcher, released, fill, finishAll } = makeDispatcher();
    await fill('a', 40);
    await finishAll('a', { durationMs: 15_000 });
    expect(released.length).toBeGreaterThan(25);
    expect(dispatcher.admission.maySendUnstored('a', 'a')).toBe(false);
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
