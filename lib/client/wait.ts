/**
 * Waits until `promise` settles or the signal aborts.
 * @throws the reason of the signal
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/**
 * Waits some milliseconds.
 * @throws the reason of the signal, at once
 */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer));
}
