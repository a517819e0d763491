import { afterEach, expect, it, vi } from 'vitest';
import { SECOND_MS } from '@/lib/platform/clock';
import { FairSemaphore } from '@/lib/platform/fair-semaphore';
import { setOnce } from '@/lib/platform/globals';
import { payForThread } from '@/lib/platform/thread-turns';
import { inPlace } from './check-places';
import { readSchema } from './json-schema';
import { findMismatches } from './run-check';

afterEach(() => {
  vi.useRealTimers();
  for (const name of ['check-places', 'longCheck-places', 'thread-turns']) setOnce(name, undefined);
});

/** A check of it holds 1.5 MiB. */
const LARGE = JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`m${n}`, 1])));
const schema = readSchema('{"additionalProperties":{"type":"integer"}}');

it('checks one large event of an owner at a time, small ones at once, and refuses those beyond a hundred that wait', async () => {
  const warned = vi.spyOn(process, 'emitWarning');
  const before = process.memoryUsage().heapUsed;
  let end: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = inPlace('check', 'owner', () => running);
  const checks = Array.from({ length: 120 }, () => findMismatches('owner', schema, LARGE, 'data'));
  let refusals = 0;
  for (const check of checks) check.catch(() => (refusals += 1));
  const settled = Promise.allSettled(checks);
  const startedAt = performance.now();
  expect(await findMismatches('another', schema, LARGE, 'data')).toEqual([]);
  expect(await findMismatches('owner', schema, '{"a":1}', 'data')).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect((process.memoryUsage().heapUsed - before) / 1024 / 1024).toBeLessThan(80);
  while (refusals < 20) await new Promise(setImmediate);
  end();
  const [results] = await Promise.all([settled, first]);
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(20);
  expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited' } });
  expect(results.filter((result) => result.status === 'fulfilled' && result.value.length === 0)).toHaveLength(100);
  expect(warned).not.toHaveBeenCalled();
});

/** There are 512 ways to each integer. */
const longSchema = readSchema(
  JSON.stringify({
    additionalProperties: { $ref: '#/$defs/d0' },
    $defs: Object.fromEntries([
      ...Array.from({ length: 9 }, (_, n) => {
        const next = { $ref: `#/$defs/d${n + 1}` };
        return [`d${n}`, { allOf: [next, next] }];
      }),
      ['d9', { type: 'integer' }],
    ]),
  }),
);
const LONG_AND_SMALL = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`m${n}`, 1])));
const LONG_AND_LARGE = JSON.stringify({ ...JSON.parse(LONG_AND_SMALL), text: 'x'.repeat(20_000) });
const SHORT_AND_LARGE = JSON.stringify({ text: 'x'.repeat(200_000) });

/** Checks of others have all places. */
function takePlaces(kind: 'check' | 'longCheck') {
  setOnce(`${kind}-places`, new FairSemaphore({ width: 0, widthPerTenant: 1, waiting: 10, waitingPerTenant: 10 }));
}

it('a check of a large text that ends with its first slice waits for no other check', async () => {
  takePlaces('check');
  const ofText = readSchema('{"properties":{"text":{"type":"string"}}}');
  expect(await findMismatches('short', ofText, SHORT_AND_LARGE, 'data')).toEqual([]);
});

it('a check of some slices waits for none that takes long', async () => {
  takePlaces('longCheck');
  const long = findMismatches('long', longSchema, LONG_AND_SMALL, 'data').catch(() => 'refused');
  expect(await Promise.race([long, findMismatches('another', schema, LARGE, 'data')])).toEqual([]);
});

it('a long check ends in a place for long ones', async () => {
  expect(await findMismatches('long', longSchema, LONG_AND_SMALL, 'data')).toEqual([]);
});

it.each(['check', 'longCheck'] as const)(
  'a check that waits for a place for ten seconds gets 503 (%s)',
  async (kind) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    takePlaces(kind);
    const state: { error?: unknown } = {};
    void findMismatches('long', longSchema, LONG_AND_LARGE, 'data').catch((error: unknown) => {
      state.error = error;
    });
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(9.9 * SECOND_MS);
    expect(state.error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(state.error).toMatchObject({ code: 'overloaded' });
  },
);

it('a check of an owner that has used little of the thread gets the next place', async () => {
  const ends: (() => void)[] = [];
  const hold = () => new Promise<void>((resolve) => ends.push(resolve));
  const order: string[] = [];
  const use = (owner: string, ms: number) =>
    inPlace('check', owner, async () => {
      payForThread(owner, ms);
      order.push(owner);
    });
  const holding = Array.from({ length: 4 }, (_, n) => inPlace('check', `holder ${n}`, hold));
  const waiting = [use('heavy', 1_000), use('light', 1), use('other', 1)];
  ends[3]?.();
  await Promise.all([holding[3], ...waiting]);
  const again = inPlace('check', 'holder 3', hold);
  const next = [use('heavy', 1), use('light', 1)];
  for (const end of ends) end();
  await Promise.all([...holding, again, ...next]);
  expect(order).toEqual(['heavy', 'light', 'other', 'light', 'heavy']);
});
