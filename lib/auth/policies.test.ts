import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { setTestConfig } from '@/tests/setup/variables';
import { foldUserCode, formatUserCode, hashUserCode, newUserCode } from './device/user-code';
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
import { safeReturnPath } from './return-path-policy';
import { describeDevice } from './sessions';

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
  let state = NO_FAILURES;
  let at = START;
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
    let state = NO_FAILURES;
    let at = START;
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

describe('the path to land on after a sign-in', () => {
  it.each(['/', '/device?userCode=BCDF-GHJK', '/projects/1/events?type=a&b=%2F%2Fx#top', '/apis'])(
    'is the requested page: %s',
    (path) => {
      expect(safeReturnPath(path)).toBe(path);
    },
  );

  it.each([
    null,
    undefined,
    '',
    'projects',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/ /evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /x',
    '/api/v1/auth/oauth/idp',
    '/t/token/page',
    '/t',
    '/downloads/eds.tgz',
    '/x/../api/v1/auth/oauth/idp',
    `/${'x'.repeat(1024)}`,
  ])('is the first page for %j', (value) => {
    expect(safeReturnPath(value)).toBe('/');
  });

  it('stays on the origin for any input', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '%2f',
      '%5c',
      '\t',
      ' ',
      'evil.example',
      'https:',
      '?',
      '#',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const landed = new URL(`https://own.example${safeReturnPath(`/${parts.join('')}`)}`);
        expect(landed.origin).toBe('https://own.example');
        expect(new URL(safeReturnPath(`/${parts.join('')}`), 'https://own.example').origin).toBe('https://own.example');
      }),
    );
  });
});

describe('a user code', () => {
  it('has eight distinct-looking letters, each equally likely', () => {
    const codes = Array.from({ length: 2000 }, newUserCode);
    expect(codes.every((code) => /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBe(codes.length);
    const counts = new Map<string, number>();
    for (const letter of codes.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(20);
    // Each is expected 800 times; 600 and 1000 are seven standard deviations away.
    expect(Math.min(...counts.values())).toBeGreaterThan(600);
    expect(Math.max(...counts.values())).toBeLessThan(1000);
  });

  it('is shown as two groups of four', () => {
    expect(formatUserCode('BCDFGHJK')).toBe('BCDF-GHJK');
  });

  it.each([
    'BCDF-GHJK',
    'bcdf-ghjk',
    'bcdfghjk',
    ' BcDf GhJk ',
    'BCDF\u2013GHJK',
    'ＢＣＤＦ-ＧＨＪＫ',
    'b-c-d-f-g-h-j-k',
  ])('may be typed as %j', (typed) => {
    expect(foldUserCode(typed)).toBe('BCDFGHJK');
  });

  it.each(['', 'BCDF', 'BCDF-GHJKL', 'AEIO-UAEI', 'BCDF_GHJK', 'BCDF-GHJ1', 'BCDF-GHJK;'])('is never %j', (typed) => {
    expect(foldUserCode(typed)).toBeNull();
  });

  it('folds any text without failing, and its displayed form back to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => [8, undefined].includes(foldUserCode(text)?.length)),
    );
    const code = newUserCode();
    expect(foldUserCode(formatUserCode(code).toLowerCase())).toBe(code);
  });
});

describe('the stored hash', () => {
  beforeAll(() => {
    setTestConfig();
  });

  it('depends on the code and on the key of the deployment', () => {
    const hash = hashUserCode('BCDFGHJK');
    expect(hashUserCode('BCDFGHJK').equals(hash)).toBe(true);
    expect(sha256('BCDFGHJK').equals(hash)).toBe(false);
    setTestConfig();
    expect(hashUserCode('BCDFGHJK').equals(hash)).toBe(false);
  });
});

describe('the device of a session', () => {
  const bySignIn = (userAgent: string | null) => describeDevice({ method: 'PASSWORD', clientName: null, userAgent });

  it('never fails and stays short for any user agent', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.string({ unit: 'binary', maxLength: 600 }).map((text) => `Mozilla/5.0 ${text}`),
    );
    fc.assert(
      fc.property(odd, (userAgent) => {
        const device = bySignIn(userAgent);
        expect(device.length).toBeGreaterThan(0);
        expect(device.length).toBeLessThanOrEqual(60);
      }),
    );
  });

  it.each([
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'Chrome on macOS',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Microsoft Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
    ['curl/8.5', 'curl'],
    ['python-requests/2.31.0', 'python-requests'],
    ['Go-http-client/2.0', 'Go-http-client'],
    ['node', 'node'],
  ])('%s → %s', (userAgent, device) => {
    expect(bySignIn(userAgent)).toBe(device);
  });

  it.each([
    null,
    '',
    ' ',
    '/',
    'Mozilla/5.0',
    'Mozilla/5.0 (evil) Foo<script>/1.0 x',
    '\u202eegnahc',
    '💥',
    '<b>x</b>',
  ])('%j → Unknown device', (userAgent) => {
    expect(bySignIn(userAgent)).toBe('Unknown device');
  });

  it.each([
    ['build-box', 'eds/1.0', 'CLI on build-box'],
    ['Acme CLI', null, 'Acme CLI'],
    [null, 'eds/1.0', 'eds'],
    [null, null, 'CLI'],
  ])('of a device code whose client calls itself %j → %s', (clientName, userAgent, device) => {
    expect(describeDevice({ method: 'DEVICE', clientName, userAgent })).toBe(device);
  });
});
