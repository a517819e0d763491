import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StopConditions } from './stop-conditions';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Whether a step that never ends is still waited for, so many milliseconds after each of these times. */
async function isWaitedFor(conditions: StopConditions, timesMs: number[]): Promise<boolean[]> {
  let isWaiting = true;
  void conditions.waitFor(new Promise(() => undefined)).then(() => {
    isWaiting = false;
  });
  const seen: boolean[] = [];
  for (const ms of timesMs) {
    await vi.advanceTimersByTimeAsync(ms);
    seen.push(isWaiting);
  }
  return seen;
}

it('waits for a hanging step while nothing ends the run', async () => {
  const conditions = new StopConditions({ lockLost: new AbortController().signal });
  expect(await isWaitedFor(conditions, [86_400_000])).toEqual([true]);
  conditions.dispose();
});

it('abandons a hanging step four seconds after the process is told to stop', async () => {
  const conditions = new StopConditions({ asked: AbortSignal.abort(), lockLost: new AbortController().signal });
  expect(await isWaitedFor(conditions, [3_900, 200])).toEqual([true, false]);
  conditions.dispose();
});

it('lets a step whose lock is lost finish its statement, and abandons it when no result can arrive', async () => {
  const lost = new AbortController();
  const conditions = new StopConditions({ lockLost: lost.signal });
  lost.abort();
  expect(conditions.signal.aborted).toBe(true);
  expect(await isWaitedFor(conditions, [31_000, 15_000])).toEqual([true, false]);
  conditions.dispose();
});

it('leaves no timer after a run', () => {
  const lost = new AbortController();
  const conditions = new StopConditions({ asked: AbortSignal.abort(), lockLost: lost.signal, timeLimitMs: 60_000 });
  lost.abort();
  expect(vi.getTimerCount()).toBe(3);
  conditions.dispose();
  expect(vi.getTimerCount()).toBe(0);
});
