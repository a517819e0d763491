import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import {
  type CountedGuess,
  countGuess,
  failuresKept,
  type LockoutRules,
  type LockoutState,
  lockoutSeconds,
  NO_FAILURES,
  withoutGuess,
} from './lockout-policy';

const DEFAULTS: LockoutRules = { threshold: 5, initialSeconds: 60, maxSeconds: 900, windowMinutes: 60 };
const START = new Date('2026-01-31T09:30:00.000Z');

const anyRules: fc.Arbitrary<LockoutRules> = fc
  .record({
    threshold: fc.integer({ min: 1, max: 8 }),
    initialSeconds: fc.integer({ min: 1, max: 600 }),
    extraSeconds: fc.integer({ min: 0, max: 5000 }),
    windowMinutes: fc.integer({ min: 1, max: 120 }),
  })
  .map(({ extraSeconds, ...rules }) => ({ ...rules, maxSeconds: rules.initialSeconds + extraSeconds }));

/** Milliseconds between two attempts: many at once, and sometimes longer than a lockout or the window. */
const anyPauses = fc.array(fc.oneof(fc.constant(0), fc.nat(90_000), fc.nat(4 * 3600_000)), { maxLength: 40 });

interface Try {
  at: Date;
  before: LockoutState;
  /** Null when the address was locked. */
  after: LockoutState | null;
}

/** The results of wrong guesses with these pauses between them. */
function tryAll(rules: LockoutRules, pausesMs: readonly number[]): Try[] {
  const tries: Try[] = [];
  let [state, at] = [NO_FAILURES, START];
  for (const pauseMs of pausesMs) {
    at = addMs(at, pauseMs);
    const after = countGuess(state, at, rules);
    tries.push({ at, before: state, after });
    state = after ?? state;
  }
  return tries;
}

function holdsForAllTries(check: (one: Try, rules: LockoutRules, all: readonly Try[]) => void): void {
  fc.assert(
    fc.property(anyRules, anyPauses, (rules, pauses) => {
      const all = tryAll(rules, pauses);
      for (const one of all) check(one, rules, all);
    }),
  );
}

const secondsOf = (state: LockoutState | null, at: Date) =>
  state?.lockedUntil == null ? 0 : (state.lockedUntil.getTime() - at.getTime()) / SECOND_MS;

describe('with the defaults of the specification', () => {
  it('the fifth failure locks for a minute; each further one doubles that, up to 15 minutes', () => {
    const lengths: number[] = [];
    let [state, at] = [NO_FAILURES, START];
    for (let failure = 1; failure <= 10; failure++) {
      state = countGuess(state, at, DEFAULTS) ?? state;
      lengths.push(secondsOf(state, at));
      at = state.lockedUntil ?? addMs(at, SECOND_MS);
    }
    expect(lengths).toEqual([0, 0, 0, 0, 60, 120, 240, 480, 900, 900]);
  });

  it('a failure is forgotten after an hour, not a millisecond before', () => {
    const four = tryAll(DEFAULTS, [0, 0, 0, 0]).at(-1)?.after ?? NO_FAILURES;
    expect(countGuess(four, addMs(START, 60 * MINUTE_MS), DEFAULTS)).toEqual({
      failedAt: [addMs(START, 60 * MINUTE_MS)],
      lockedUntil: null,
    });
    expect(countGuess(four, addMs(START, 60 * MINUTE_MS - 1), DEFAULTS)?.lockedUntil).not.toBeNull();
  });

  it('failures are forgotten one by one, so that any five within an hour lock', () => {
    const minute = MINUTE_MS;
    const tries = tryAll(DEFAULTS, [0, 50 * minute, 0, 0, 15 * minute, 0]);
    expect(tries.map(({ after }) => after?.failedAt.length)).toEqual([1, 2, 3, 4, 4, 5]);
    expect(tries.at(-1)?.after?.lockedUntil).not.toBeNull();
  });
});

describe('with any rules and attempts', () => {
  it('exactly the guesses that reach the threshold within the window lock', () => {
    holdsForAllTries((one, rules, all) => {
      const { at, after } = one;
      if (after === null) return;
      const windowStart = addMs(at, -rules.windowMinutes * MINUTE_MS);
      const upToThis = all.slice(0, all.indexOf(one) + 1);
      const failures = upToThis.filter((other) => other.after !== null && other.at > windowStart).length;
      expect(after.failedAt).toHaveLength(Math.min(failures, failuresKept(rules)));
      expect(after.lockedUntil !== null).toBe(failures >= rules.threshold);
    });
  });

  it('the lockout doubles with each further failure, up to the maximum', () => {
    holdsForAllTries(({ at, after }, rules) => {
      if (after?.lockedUntil == null) return;
      const seconds = secondsOf(after, at);
      const doubled = rules.initialSeconds * 2 ** (after.failedAt.length - rules.threshold);
      expect(seconds).toBe(Math.min(rules.maxSeconds, doubled));
    });
  });

  it('a lockout ends by itself, exactly on its millisecond', () => {
    holdsForAllTries(({ at, before, after }) => {
      expect(after === null).toBe(before.lockedUntil !== null && before.lockedUntil > at);
    });
    fc.assert(
      fc.property(anyRules, anyPauses, (rules, pauses) => {
        const last = tryAll(rules, pauses).at(-1);
        const state = last?.after ?? last?.before ?? NO_FAILURES;
        if (state.lockedUntil === null) return;
        expect(countGuess(state, addMs(state.lockedUntil, -1), rules)).toBeNull();
        expect(countGuess(state, state.lockedUntil, rules)).not.toBeNull();
      }),
    );
  });

  it('at most the threshold of simultaneous guesses is checked', () => {
    fc.assert(
      fc.property(anyRules, fc.integer({ min: 1, max: 60 }), (rules, count) => {
        const checked = tryAll(rules, Array<number>(count).fill(0)).filter(({ after }) => after !== null);
        expect(checked).toHaveLength(Math.min(count, rules.threshold));
      }),
    );
  });

  it('more failures never shorten a lockout, and the kept failures stay bounded', () => {
    fc.assert(
      fc.property(anyRules, fc.nat(2000), (rules, failures) => {
        expect(lockoutSeconds(failures + 1, rules)).toBeGreaterThanOrEqual(lockoutSeconds(failures, rules));
        expect(lockoutSeconds(failuresKept(rules), rules)).toBe(rules.maxSeconds);
      }),
    );
    const manyAfterEachOther = tryAll({ ...DEFAULTS, maxSeconds: 60 }, Array<number>(200).fill(61_000));
    expect(manyAfterEachOther.every(({ after }) => (after?.failedAt.length ?? 0) <= failuresKept(DEFAULTS))).toBe(true);
  });
});

describe('a guess that was never checked', () => {
  it('has no effect on later attempts once it is refunded', () => {
    fc.assert(
      fc.property(anyRules, anyPauses, fc.nat(3600_000), (rules, pauses, pauseMs) => {
        const last = tryAll(rules, pauses).at(-1);
        const state = last?.after ?? last?.before ?? NO_FAILURES;
        const at = addMs(last?.at ?? START, pauseMs);
        const counted = countGuess(state, at, rules);
        if (counted === null) return;
        const guess = { at, lockedUntil: counted.lockedUntil };
        const restored = withoutGuess(counted, guess, rules);
        for (const laterMs of [0, 1, 60_000, 3600_000]) {
          const later = addMs(at, laterMs);
          expect(countGuess(restored, later, rules)).toEqual(countGuess(state, later, rules));
        }
      }),
    );
  });

  it('ends a lockout that needed it, even when a later guess started it', () => {
    const rules = { ...DEFAULTS, threshold: 2 };
    const [first, second] = tryAll(rules, [0, 1]);
    const guess: CountedGuess = { at: START, lockedUntil: first?.after?.lockedUntil ?? null };
    expect(second?.after?.lockedUntil).not.toBeNull();
    expect(withoutGuess(second?.after ?? NO_FAILURES, guess, rules)).toEqual({
      failedAt: [addMs(START, 1)],
      lockedUntil: null,
    });
  });

  it('cannot be refunded twice, or after the failures were cleared', () => {
    const counted = countGuess(NO_FAILURES, START, DEFAULTS) ?? NO_FAILURES;
    const guess = { at: START, lockedUntil: null };
    const once = withoutGuess(counted, guess, DEFAULTS);
    expect(withoutGuess(once, guess, DEFAULTS)).toEqual(NO_FAILURES);
    expect(withoutGuess(NO_FAILURES, guess, DEFAULTS)).toEqual(NO_FAILURES);
  });
});
