import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';

/** The variables AUTH_LOCKOUT_* (spec 5.3). */
export interface LockoutRules {
  threshold: number;
  initialSeconds: number;
  maxSeconds: number;
  windowMinutes: number;
}

/** What is known of an address: its guesses that were not found right, oldest first, and until when it is locked. */
export interface LockoutState {
  failedAt: readonly Date[];
  lockedUntil: Date | null;
}

export const NO_FAILURES: LockoutState = { failedAt: [], lockedUntil: null };

/** Enough to come from the shortest first lockout to the longest bound there is: one second to a week. */
export const MAX_DOUBLINGS = 20;

/** Failures beyond these change nothing any more, so no more of them are kept. */
export function failuresKept(rules: LockoutRules): number {
  return rules.threshold + MAX_DOUBLINGS;
}

/** Seconds an address is locked after so many failures within the window; 0 below the threshold. */
export function lockoutSeconds(failures: number, rules: LockoutRules): number {
  if (failures < rules.threshold) return 0;
  const doublings = Math.min(failures - rules.threshold, MAX_DOUBLINGS);
  return Math.min(rules.maxSeconds, rules.initialSeconds * 2 ** doublings);
}

/**
 * What a guess at `now` leads to: null while the address is locked, and then nothing changes; otherwise the state in
 * which the guess counts as a failure already, to be taken back when it proves right or is never judged. The same rule
 * as one statement stands in ./lockout-sql.ts, and a test holds the two together.
 */
export function countGuess(state: LockoutState, now: Date, rules: LockoutRules): LockoutState | null {
  if (state.lockedUntil !== null && state.lockedUntil > now) return null;
  const windowStart = addMs(now, -rules.windowMinutes * MINUTE_MS);
  const remembered = state.failedAt.filter((at) => at > windowStart);
  const failedAt = [...remembered, now].slice(-failuresKept(rules));
  const seconds = lockoutSeconds(failedAt.length, rules);
  return { failedAt, lockedUntil: seconds === 0 ? null : addMs(now, seconds * SECOND_MS) };
}

/** A guess as it was counted: when, and the lockout that it began should it be wrong. */
export interface CountedGuess {
  at: Date;
  lockedUntil: Date | null;
}

/** The state as if a guess that was never judged had not been made; a lockout that rests on it ends. */
export function withoutGuess(state: LockoutState, guess: CountedGuess, rules: LockoutRules): LockoutState {
  const index = state.failedAt.findIndex((at) => at.getTime() === guess.at.getTime());
  if (index === -1) return state;
  const failedAt = state.failedAt.toSpliced(index, 1);
  const isItsOwn = state.lockedUntil?.getTime() === guess.lockedUntil?.getTime();
  return { failedAt, lockedUntil: isItsOwn || failedAt.length < rules.threshold ? null : state.lockedUntil };
}
