import { once } from './globals';

/** The slices in one pass of the event loop take the thread for about so long in total, whoever has them. Then sockets and timers are served. */
const PASS_MS = 4;

const state = () => once('loop-pass', () => ({ usedMs: 0 }));

/** Counts what work took in this pass of the event loop. @returns whether the next work waits for the next pass */
export function isPassUsedUp(ms: number): boolean {
  const pass = state();
  if (pass.usedMs === 0) setImmediate(() => Object.assign(pass, { usedMs: 0 }));
  pass.usedMs += ms;
  return pass.usedMs >= PASS_MS;
}

/** Returns whether work that has taken so long, and is not counted yet, uses this pass up. */
export function wouldUsePassUp(ms: number): boolean {
  return state().usedMs + ms >= PASS_MS;
}
