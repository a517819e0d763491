import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeDispatcher, projectOf } from '@/tests/delivery/dispatcher';

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
    expect(dispatcher.admission.maySendUnstored('a', 'a')).toBe(false);
    dispatcher.backlog.set('a', 'a', false);
    expect(dispatcher.admission.maySendUnstored('a', 'a')).toBe(true);
  });

  it('is shared evenly among projects, and among the targets of a project', () => {
    const { dispatcher } = makeDispatcher();
    for (const id of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1']) dispatcher.backlog.set(id, projectOf(id), true);
    const wanted = dispatcher.backlog.selectRefills(8);
    expect(['a/1', 'a/2', 'a/3', 'a/4', 'b/1'].map((id) => wanted.get(id))).toEqual([1, 1, 1, 1, 4]);
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
});
