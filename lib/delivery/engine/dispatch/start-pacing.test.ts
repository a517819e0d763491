import { describe, expect, it } from 'vitest';
import {
  countOf,
  countOfProject,
  makeDispatcher,
  makeJob,
  makeTarget,
  runEventLoop,
  untilSteady,
} from '@/tests/delivery/dispatcher';

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
    dispatcher.evictIdle();
    for (let index = 0; index < 60; index += 1) dispatcher.add(makeTarget(`new/${index}`), makeJob(`new/${index}`));
    dispatcher.pump();
    dispatcher.add(makeTarget('well/a'), makeJob('well/a'));
    dispatcher.pump();
    expect(countOf(sending, 'well/a')).toBe(1);
    expect(sending.length).toBeLessThan(30);
  });
});
