import { describe, expect, it, vi } from 'vitest';
import { countOf, makeDispatcher, makeJob, makeTarget, runEventLoop } from '@/tests/delivery/dispatcher';
import { MAX_JOBS } from './admission';
import { WorkerLoad } from './worker-load';

const CONCURRENCY = 10;

function makeTwo() {
  const load = new WorkerLoad();
  const enterCell = vi.fn((work: () => void) => work());
  const options = { concurrency: CONCURRENCY, targetConcurrency: CONCURRENCY, load };
  return { one: makeDispatcher(options), other: makeDispatcher({ ...options, enterCell }), enterCell };
}

describe('two dispatchers of a worker', () => {
  it('share its slots, and the other one starts at once what one has left room for', async () => {
    const { one, other, enterCell } = makeTwo();
    for (const id of ['a', 'b', 'c', 'd']) await one.fill(id, CONCURRENCY);
    await other.fill('e', CONCURRENCY);
    const total = () => one.sending.length + other.sending.length;
    expect(one.sending.length).toBeGreaterThan(6);
    expect(total()).toBeLessThanOrEqual(CONCURRENCY);
    const before = countOf(other.sending, 'e');
    enterCell.mockClear();
    await one.finishAll('a');
    await one.finishAll('b');
    await runEventLoop();
    expect(countOf(other.sending, 'e')).toBeGreaterThan(before);
    expect(enterCell).toHaveBeenCalled();
    expect(total()).toBeLessThanOrEqual(CONCURRENCY);
  });

  it('share its memory, which a stopped one leaves to the other', () => {
    const { one, other } = makeTwo();
    const room = () => other.dispatcher.admission.roomOf('other');
    expect(room()).toBe(MAX_JOBS / 2);
    for (let index = 0; index < MAX_JOBS / 2; index += 1) one.dispatcher.add(makeTarget('one'), makeJob('one'));
    expect(room()).toBe(MAX_JOBS / 4);
    one.dispatcher.stop();
    one.dispatcher.clear();
    expect(room()).toBe(MAX_JOBS / 2);
  });
});
