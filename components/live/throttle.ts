/**
 * Returns a function that runs `work` at once, but never twice at a time and at most every `everyMs`: calls in between make
 * one run afterwards. `cancel` drops it.
 */
export function throttle(work: () => Promise<unknown>, everyMs: number): { run: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [isBusy, isWaiting, isCanceled] = [false, false, false];
  const start = async () => {
    [isBusy, isWaiting] = [true, false];
    const pause = new Promise((resolve) => {
      timer = setTimeout(resolve, everyMs);
    });
    // Who shows the result also shows the error.
    await Promise.all([work().catch(() => undefined), pause]);
    isBusy = false;
    if (isWaiting && !isCanceled) void start();
  };
  return {
    run: () => {
      if (isBusy) isWaiting = true;
      else if (!isCanceled) void start();
    },
    cancel: () => {
      clearTimeout(timer);
      isCanceled = true;
    },
  };
}
