const STEP_MS = 10;

/**
 * Measures the time during which the event loop of this process ran: time that a busy machine takes away does not count.
 * For time bounds on work within this process.
 *
 * @returns a function that stops the clock and returns the milliseconds
 */
export function startEventLoopClock(): () => number {
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
  }, STEP_MS);
  return () => {
    clearInterval(timer);
    return steps * STEP_MS;
  };
}
