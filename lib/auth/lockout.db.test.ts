import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addMs } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { timestamp } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { useDatabase } from '@/tests/database/use-database';
import { freshEmail } from '@/tests/fixtures/people';
import { passTime } from '@/tests/fixtures/sign-in-limits';
import { endLockout, type Guess, recordGuess, refundGuess } from './lockout';
import {
  type CountedGuess,
  countGuess,
  failuresKept,
  type LockoutRules,
  type LockoutState,
  NO_FAILURES,
  withoutGuess,
} from './lockout-policy';
import { countGuessSql, GUESS_PARAMS, recordFailure, removeFailure } from './lockout-sql';

const db = useDatabase();

const START = new Date('2026-01-31T09:30:00.000Z');

const guessOf = (addressHash: Buffer, rules: LockoutRules) => ({ addressHash, ...rules, kept: failuresKept(rules) });

/** Counts a guess at a given time, with the text used in production. */
const recordFailureAt = statement(countGuessSql('$at::timestamptz(3)'), {
  params: { ...GUESS_PARAMS, at: timestamp },
});

async function storedState(addressHash: Buffer): Promise<LockoutState> {
  const { rows } = await database().query<{ failed_at: Date[]; locked_until: Date | null }>(
    'SELECT failed_at, locked_until FROM login_lockouts WHERE address_hash = $1',
    [addressHash],
  );
  const row = rows[0];
  return row === undefined ? NO_FAILURES : { failedAt: row.failed_at, lockedUntil: row.locked_until };
}

async function countInSql(addressHash: Buffer, at: Date, rules: LockoutRules): Promise<boolean> {
  return (await recordFailureAt.run(database(), { ...guessOf(addressHash, rules), at })) === 1;
}

type Step = { pauseMs: number; refund: number | null };

/** Round times, so that attempts hit the exact end of a lockout and of the window. */
const anyStep: fc.Arbitrary<Step> = fc.record({
  pauseMs: fc.constantFrom(0, 1, 999, 1000, 10_000, 20_000, 30_000, 60_000, 120_000),
  /** Index of the counted guess to refund; null makes another guess. */
  refund: fc.option(fc.nat(30), { freq: 3 }),
});
const anyRules: fc.Arbitrary<LockoutRules> = fc
  .record({
    threshold: fc.integer({ min: 1, max: 4 }),
    initialSeconds: fc.constantFrom(1, 10, 30, 60),
    extraSeconds: fc.constantFrom(0, 10, 60, 300),
    windowMinutes: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ extraSeconds, ...rules }) => ({ ...rules, maxSeconds: rules.initialSeconds + extraSeconds }));

describe('the statements that count guesses', () => {
  it('agree with the policy for any rules and order of guesses', async () => {
    await fc.assert(
      fc.asyncProperty(anyRules, fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (rules, steps) => {
        const addressHash = randomBytes(32);
        const counted: CountedGuess[] = [];
        let [state, at]: [LockoutState, Date] = [NO_FAILURES, START];
        for (const { pauseMs, refund } of steps) {
          at = addMs(at, pauseMs);
          const guess = refund === null ? undefined : counted[refund % Math.max(1, counted.length)];
          if (guess !== undefined) {
            state = withoutGuess(state, guess, rules);
            await removeFailure.run(database(), {
              addressHash,
              countedAt: guess.at.toISOString(),
              lockedUntil: guess.lockedUntil?.toISOString() ?? null,
              threshold: rules.threshold,
            });
          } else {
            const next = countGuess(state, at, rules);
            expect(await countInSql(addressHash, at, rules)).toBe(next !== null);
            if (next !== null) counted.push({ at, lockedUntil: next.lockedUntil });
            state = next ?? state;
          }
          expect(await storedState(addressHash)).toEqual(state);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('parallel guesses at one address', () => {
  it('are let through exactly up to the threshold when 50 come through two processes', async () => {
    const rules = { threshold: 5, initialSeconds: 60, maxSeconds: 900, windowMinutes: 60 };
    const addressHash = randomBytes(32);
    const pools = [new pg.Pool({ connectionString: db.url }), new pg.Pool({ connectionString: db.url })];
    const guess = guessOf(addressHash, rules);
    const counts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => recordFailure.run(pools[index % 2] as pg.Pool, guess)),
    );
    await Promise.all(pools.map((pool) => pool.end()));
    expect(counts.filter((count) => count === 1)).toHaveLength(5);
    const state = await storedState(addressHash);
    expect(state.failedAt).toHaveLength(5);
    expect(state.lockedUntil).not.toBeNull();
  });

  it('are let through again as often as they are refunded', async () => {
    const email = freshEmail();
    const guesses = await takeMany(email, 5);
    await refusesNext(email);
    await Promise.all(guesses.slice(0, 2).map(refundGuess));
    await takeMany(email, 2);
    await refusesNext(email);
  });

  it('are not refunded after the count was cleared', async () => {
    const email = freshEmail();
    const [early] = await takeMany(email, 1);
    await passTime(1);
    await endLockout(database(), email);
    await takeMany(email, 4);
    if (early !== undefined) await refundGuess(early);
    await takeMany(email, 1);
    await refusesNext(email);
  });

  it('stay counted when the refund fails, without another error', async () => {
    const [guess] = await takeMany(freshEmail(), 1);
    const query = vi
      .spyOn(database(), 'query')
      .mockImplementation(() => Promise.reject(new Error('connection terminated')));
    onTestFinished(() => query.mockRestore());
    if (guess !== undefined) await expect(refundGuess(guess)).resolves.toBeUndefined();
    expect(query).toHaveBeenCalled();
  });
});

describe('a lockout', () => {
  it('ends at once with a reset, which also clears the failures', async () => {
    const email = freshEmail();
    await takeMany(email, 5);
    await refusesNext(email);
    await endLockout(database(), email);
    await takeMany(email, 5);
    await refusesNext(email);
  });

  it('does not store the address in plain text', async () => {
    const email = freshEmail();
    await takeMany(email, 1);
    const { rows } = await database().query('SELECT l::text AS row FROM login_lockouts l');
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).not.toContain(email);
    expect(stored).not.toContain(Buffer.from(email).toString('hex'));
  });
});

describe('with other rules', () => {
  const original = () => config();
  let before: Config | undefined;
  const withVariables = (variables: Partial<Config>) => {
    before ??= original();
    setOnce('config', { ...before, ...variables });
  };
  afterEach(() => {
    if (before !== undefined) setOnce('config', before);
  });

  it('counts and refuses nothing while lockout is switched off', async () => {
    const email = freshEmail();
    await takeMany(email, 5);
    withVariables({ AUTH_LOCKOUT_ENABLED: false });
    for (let guess = 0; guess < 10; guess++) expect(await recordGuess(email)).toBeNull();
    withVariables({ AUTH_LOCKOUT_ENABLED: true });
    await refusesNext(email);
  });

  it('locks at the first failure with a threshold of one', async () => {
    withVariables({ AUTH_LOCKOUT_THRESHOLD: 1, AUTH_LOCKOUT_INITIAL_SECONDS: 7 });
    const email = freshEmail();
    await takeMany(email, 1);
    await refusesNext(email, 7);
  });
});

async function takeMany(email: string, count: number): Promise<Guess[]> {
  const guesses = await Promise.all(Array.from({ length: count }, () => recordGuess(email)));
  return guesses.filter((guess) => guess !== null);
}

async function refusesNext(email: string, lockedSeconds = 60): Promise<void> {
  const refusal = await recordGuess(email).catch((error) => error);
  expect(refusal).toMatchObject({ code: 'account_locked' });
  expect(refusal.options.retryAfterSeconds).toBeGreaterThan(lockedSeconds - 5);
  expect(refusal.options.retryAfterSeconds).toBeLessThanOrEqual(lockedSeconds);
}
