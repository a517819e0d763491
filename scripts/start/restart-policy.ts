export interface RestartPolicy {
  /** Pause before the first restart, in milliseconds; doubles after each further exit, up to `maxPauseMs`. */
  firstPauseMs: number;
  maxPauseMs: number;
  /** A child that was ready for this long restarts after the first pause again. */
  steadyMs: number;
  /** Exits in a row after which a supervisor that may give up does so. */
  quickExits: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstPauseMs: 500,
  // The service recovers from any fault within 15 s, so it cannot wait longer; one start in 10 s costs a tenth of a core.
  maxPauseMs: 10_000,
  steadyMs: 10_000,
  quickExits: 5,
};

/** Jitter, as a share of the pause: children that exit together do not restart together. */
const JITTER = 0.2;

/**
 * Returns the milliseconds to wait before the next start.
 *
 * @param exits in a row, at least 1
 * @param chance from 0 up to 1
 */
export function restartPause(policy: RestartPolicy, exits: number, chance = Math.random()): number {
  const longest = Math.min(policy.firstPauseMs * 2 ** (exits - 1), policy.maxPauseMs);
  return Math.round(longest * (1 - JITTER * chance));
}
