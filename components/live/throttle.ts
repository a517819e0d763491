/**
 * Returns a function that runs `work` at once, but at most every `everyMs`: calls in between make one run at the end of the
 * time. `cancel` drops it.
 */
export function throttle(work: () => void, everyMs: number): { run: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const pause = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (isWaiting) start();
    }, everyMs);
  };
  const start = () => {
    isWaiting = false;
    work();
    pause();
  };
  return {
    run: () => {
      if (timer === undefined) start();
      else isWaiting = true;
    },
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
      isWaiting = false;
    },
  };
}
