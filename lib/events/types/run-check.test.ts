import { afterEach, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { readSchema } from './json-schema';
import { findMismatches } from './run-check';

afterEach(() => setOnce('check-places', undefined));

/** A check of it holds 1.5 MiB. */
const LARGE = JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`m${n}`, 1])));
const schema = readSchema('{"additionalProperties":{"type":"integer"}}');

it('checks one large event of an owner at a time, small ones at once, and refuses those beyond a hundred that wait', async () => {
  const warned = vi.spyOn(process, 'emitWarning');
  const before = process.memoryUsage().heapUsed;
  const checks = Array.from({ length: 120 }, () => findMismatches('owner', schema, LARGE, 'data'));
  const settled = Promise.allSettled(checks);
  const startedAt = performance.now();
  expect(await findMismatches('another', schema, LARGE, 'data')).toEqual([]);
  expect(await findMismatches('owner', schema, '{"a":1}', 'data')).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect((process.memoryUsage().heapUsed - before) / 1024 / 1024).toBeLessThan(80);
  const results = await settled;
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(19);
  expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited' } });
  expect(results.filter((result) => result.status === 'fulfilled' && result.value.length === 0)).toHaveLength(101);
  expect(warned).not.toHaveBeenCalled();
});
