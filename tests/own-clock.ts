const STEP_MS = 10;

/**
 * Counts time as this process has had it: while a busy machine lets it wait, nothing counts. For bounds on what happens
 * within this process alone.
 *
 * @returns ends the counting, and gives the milliseconds
 */
export function startOwnClock(): () => number {
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
  }, STEP_MS);
  return () => {
    clearInterval(timer);
    return steps * STEP_MS;
  };
}
