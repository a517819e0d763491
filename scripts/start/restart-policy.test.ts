import { describe, expect, it } from 'vitest';
import { RESTART_POLICY, restartPause } from './restart-policy';

describe('the pause before a restart', () => {
  const longest = (exits: number) => restartPause(RESTART_POLICY, exits, 0);

  it('doubles from half a second up to 10 s, and stays there', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 5000].map(longest)).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000,
    ]);
  });

  it('varies by a fifth, and never exceeds its bound', () => {
    expect(restartPause(RESTART_POLICY, 1, 0.5)).toBe(450);
    expect(restartPause(RESTART_POLICY, 100, 0.999)).toBeGreaterThanOrEqual(8_000);
    for (let tries = 0; tries < 100; tries++) {
      const pause = restartPause(RESTART_POLICY, 7);
      expect(pause).toBeGreaterThanOrEqual(8_000);
      expect(pause).toBeLessThanOrEqual(10_000);
    }
  });
});
