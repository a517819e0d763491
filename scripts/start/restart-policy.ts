export interface RestartPolicy {
  /** Pause before the first restart, in milliseconds; doubles with each further death, up to `maxPauseMs`. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** A child that has been ready for this long starts again from the first pause. */
  steadyMs: number;
  /** Deaths in a row that make a start a failed one, where the supervisor may give up at all. */
  quickDeaths: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstPauseMs: 500,
  // A service that recovers within 15 s of any fault cannot wait longer; one start in 10 s costs a core about a tenth.
  maxPauseMs: 10_000,
  steadyMs: 10_000,
  quickDeaths: 5,
};

/** The part of a pause that is left to chance, so that children which die together do not all start at once. */
const JITTER = 0.2;

/**
 * Milliseconds to wait before the next start.
 *
 * @param deaths in a row, at least 1
 * @param chance from 0 up to 1
 */
export function restartPause(policy: RestartPolicy, deaths: number, chance = Math.random()): number {
  const longest = Math.min(policy.firstPauseMs * 2 ** (deaths - 1), policy.maxPauseMs);
  return Math.round(longest * (1 - JITTER * chance));
}
