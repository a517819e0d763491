import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Job } from '@/lib/delivery/engine/types';
import { makeDispatcher, makeJob, makeTarget, runEventLoop } from '@/tests/delivery/dispatcher';

describe('a job', () => {
  it('is released, not sent, if its lease would end during the attempt', async () => {
    const { dispatcher, sending, released } = makeDispatcher();
    const late = makeJob('a', { leaseEndsAt: performance.now() + 15_000 });
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
