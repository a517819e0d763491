import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { config } from './config/config';
import { consumeInTransaction, type Limit } from './count-in-transaction';
import { isDatabaseUnreachable } from './database-errors';
import { closeDatabase, database, inSqlTransaction } from './db';
import { setOnce } from './globals';
import { newId } from './ids';
import { consumeRateLimit, enforceRateLimits, refundRateLimits } from './rate-limit';

useDatabase();

const limitOf = (overrides: Partial<Limit> = {}): Limit => ({
  name: 'test',
  key: newId(),
  points: 3,
  windowSeconds: 60,
  ...overrides,
});

const START = new Date('2026-01-31T09:30:00.250Z').getTime();
const at = (ms: number) => vi.setSystemTime(START + ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  at(0);
});
afterEach(() => {
  vi.useRealTimers();
});

async function consumeTimes(limit: Limit, times: number): Promise<boolean[]> {
  const verdicts: boolean[] = [];
  for (let index = 0; index < times; index++) verdicts.push((await consumeRateLimit(limit)).allowed);
  return verdicts;
}

describe('a rate limit', () => {
  it('allows its number of attempts, and the next one exactly after Retry-After', async () => {
    const limit = limitOf();
    expect(await consumeTimes(limit, 3)).toEqual([true, true, true]);
    at(500);
    expect(await consumeRateLimit(limit)).toEqual({ allowed: false, retryAfterSeconds: 60 });
    at(59_001);
    expect(await consumeRateLimit(limit)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    at(59_999);
    expect(await consumeRateLimit(limit)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    at(60_000);
    expect(await consumeTimes(limit, 4)).toEqual([true, true, true, false]);
  });

  it('allows an attempt right after Retry-After, whenever it was refused', async () => {
    for (const refusedAtMs of [1, 999, 1000, 30_400, 59_000]) {
      const limit = limitOf({ points: 1 });
      at(0);
      await consumeRateLimit(limit);
      at(refusedAtMs);
      const verdict = await consumeRateLimit(limit);
      if (verdict.allowed) throw new Error('the limit was not reached');
      at(refusedAtMs + verdict.retryAfterSeconds * 1000);
      expect(await consumeRateLimit(limit)).toEqual({ allowed: true });
    }
  });

  it('counts refused attempts, which do not prolong the wait', async () => {
    const limit = limitOf();
    await consumeTimes(limit, 50);
    at(60_000);
    expect((await consumeRateLimit(limit)).allowed).toBe(true);
  });

  it('counts each key and kind of attempt separately', async () => {
    const limit = limitOf({ points: 1 });
    await consumeTimes(limit, 2);
    expect((await consumeRateLimit({ ...limit, key: newId() })).allowed).toBe(true);
    expect((await consumeRateLimit({ ...limit, name: 'other' })).allowed).toBe(true);
    expect((await consumeRateLimit(limit)).allowed).toBe(false);
  });

  it('allows exactly its number of attempts when 50 arrive at once', async () => {
    const limit = limitOf({ points: 7 });
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => consumeRateLimit(limit)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(7);
  });

  it('counts in the database, so another process continues the count', async () => {
    const limit = limitOf();
    await consumeTimes(limit, 3);
    setOnce(`rate-limiter.${limit.points}.${limit.windowSeconds}`, undefined);
    await closeDatabase();
    expect((await consumeRateLimit(limit)).allowed).toBe(false);
  });
});

describe('the key of an attempt', () => {
  const isShared = async (first: string, second: string) => {
    const limit = limitOf({ name: newId(), points: 1 });
    await consumeRateLimit({ ...limit, key: first });
    return !(await consumeRateLimit({ ...limit, key: second })).allowed;
  };

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['ada@example.com', 'eve@example.com', false],
    ['unknown', 'unknown', true],
  ])('%s and %s count together: %s', async (first, second, together) => {
    expect(await isShared(first, second)).toBe(together);
  });

  it('cannot be read from the table', async () => {
    const keys = ['ada@example.com', '203.0.113.99', '2001:db8:9:9::1'];
    for (const key of keys) await consumeRateLimit(limitOf({ key }));
    const { rows } = await database().query('SELECT r::text AS row FROM rate_limits r');
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).toContain('test:');
    // No part that base64url could contain by chance.
    for (const part of ['ada@', 'example.com', '203.0.113.99', '2001:db8']) expect(stored).not.toContain(part);
  });
});

describe('several limits at once', () => {
  it('count an attempt that one of them refuses up to that one, and not after it', async () => {
    const first = limitOf({ points: 3 });
    const tight = limitOf({ points: 1 });
    const last = limitOf({ points: 2 });
    await enforceRateLimits([first, tight, last]);
    for (let again = 0; again < 2; again++) {
      await expect(enforceRateLimits([first, tight, last])).rejects.toMatchObject({ code: 'rate_limited' });
    }
    expect((await consumeRateLimit(first)).allowed).toBe(false);
    expect((await consumeRateLimit(last)).allowed).toBe(true);
    expect((await consumeRateLimit(last)).allowed).toBe(false);
  });

  it('return the longest wait of those exceeded', async () => {
    const short = limitOf({ points: 1, windowSeconds: 10 });
    const long = limitOf({ points: 1, windowSeconds: 60 });
    await enforceRateLimits([short, long]);
    await expect(enforceRateLimits([short, long])).rejects.toMatchObject({ options: { retryAfterSeconds: 60 } });
  });

  it('include in the wait a limit that the refused attempt used up, so the next attempt passes', async () => {
    const short = limitOf({ points: 1, windowSeconds: 10 });
    const long = limitOf({ points: 2, windowSeconds: 60 });
    await enforceRateLimits([long, short]);
    await expect(enforceRateLimits([long, short])).rejects.toMatchObject({ options: { retryAfterSeconds: 60 } });
    at(60_000);
    await expect(enforceRateLimits([long, short])).resolves.toBeUndefined();
  });
});

describe('an attempt counted in a transaction', () => {
  it('counts with the others, and only if the transaction commits', async () => {
    const limit = limitOf({ points: 2 });
    const failed = inSqlTransaction(async (tx) => {
      expect(await consumeInTransaction(tx, limit)).toBe(true);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await inSqlTransaction((tx) => consumeInTransaction(tx, limit))).toBe(true);
    expect((await consumeRateLimit(limit)).allowed).toBe(true);
    expect(await inSqlTransaction((tx) => consumeInTransaction(tx, limit))).toBe(false);
    at(limit.windowSeconds * 1000);
    expect(await inSqlTransaction((tx) => consumeInTransaction(tx, limit))).toBe(true);
  });

  it('is within the limit for exactly its number of concurrent attempts', async () => {
    const limit = limitOf({ points: 5 });
    const tries = Array.from({ length: 20 }, () => inSqlTransaction((tx) => consumeInTransaction(tx, limit)));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(5);
  });

  it('can be repeated after a refund', async () => {
    const limit = limitOf({ points: 1 });
    expect((await consumeRateLimit(limit)).allowed).toBe(true);
    await refundRateLimits([limit]);
    expect((await consumeRateLimit(limit)).allowed).toBe(true);
    expect((await consumeRateLimit(limit)).allowed).toBe(false);
  });
});

describe('while the database cannot be reached', () => {
  it('no attempt is allowed', async () => {
    const working = config();
    await closeDatabase();
    setOnce('config', { ...working, DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/none' });
    const faults = await Promise.all([
      consumeRateLimit(limitOf()).catch((error) => error),
      enforceRateLimits([limitOf(), limitOf()]).catch((error) => error),
    ]);
    await closeDatabase();
    setOnce('config', working);
    expect(faults.map(isDatabaseUnreachable)).toEqual([true, true]);
  });
});
