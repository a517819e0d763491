import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';

/** The variables AUTH_LOCKOUT_*, see docs/specification.md#sign-in-limits. */
export interface LockoutRules {
  threshold: number;
  initialSeconds: number;
  maxSeconds: number;
  windowMinutes: number;
}

/** The counted guesses of an address, oldest first, and the end of its lockout. */
export interface LockoutState {
  failedAt: readonly Date[];
  lockedUntil: Date | null;
}

export const NO_FAILURES: LockoutState = { failedAt: [], lockedUntil: null };

/** Enough to double the shortest first lockout (1 s) up to the longest maximum (a week). */
export const MAX_DOUBLINGS = 20;

/** How many failures are kept: older ones can no longer change a lockout. */
export function failuresKept(rules: LockoutRules): number {
  return rules.threshold + MAX_DOUBLINGS;
}

/** Returns how many seconds this many failures within the window lock an address for; 0 below the threshold. */
export function lockoutSeconds(failures: number, rules: LockoutRules): number {
  if (failures < rules.threshold) return 0;
  const doublings = Math.min(failures - rules.threshold, MAX_DOUBLINGS);
  return Math.min(rules.maxSeconds, rules.initialSeconds * 2 ** doublings);
}

/**
 * Counts a guess at `now` as a failure before it is checked; it is removed again when it proves right or is never
 * checked. Returns the new state, or null while the address is locked, which changes nothing. ./lockout-sql.ts has the
 * same rule as one statement; a test checks that both agree.
 */
export function countGuess(state: LockoutState, now: Date, rules: LockoutRules): LockoutState | null {
  if (state.lockedUntil !== null && state.lockedUntil > now) return null;
  const windowStart = addMs(now, -rules.windowMinutes * MINUTE_MS);
  const remembered = state.failedAt.filter((at) => at > windowStart);
  const failedAt = [...remembered, now].slice(-failuresKept(rules));
  const seconds = lockoutSeconds(failedAt.length, rules);
  return { failedAt, lockedUntil: seconds === 0 ? null : addMs(now, seconds * SECOND_MS) };
}

/** A guess as it was counted: when, and the lockout it started. */
export interface CountedGuess {
  at: Date;
  lockedUntil: Date | null;
}

/** Returns the state without a guess that was never checked; a lockout that depends on it ends. */
export function withoutGuess(state: LockoutState, guess: CountedGuess, rules: LockoutRules): LockoutState {
  const index = state.failedAt.findIndex((at) => at.getTime() === guess.at.getTime());
  if (index === -1) return state;
  const failedAt = state.failedAt.toSpliced(index, 1);
  const isItsOwn = state.lockedUntil?.getTime() === guess.lockedUntil?.getTime();
  return { failedAt, lockedUntil: isItsOwn || failedAt.length < rules.threshold ? null : state.lockedUntil };
}
