/** A time that all its readers share, so that they agree. It ticks only while it has a subscriber. */
export interface Clock {
  stepMs: number;
  /** Calls `onTick` at each step. Returns the function that ends this. */
  subscribe: (onTick: () => void) => () => void;
  /** Returns the time of the last tick in epoch milliseconds; without a subscriber, the present time. */
  read: () => number;
}

/** Returns a clock that ticks at each multiple of `stepMs`: one of seconds as the second changes. */
export function createClock(stepMs: number): Clock {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nowMs = 0;
  const update = () => {
    nowMs = Date.now();
  };
  const wait = () => {
    timer = setTimeout(
      () => {
        update();
        wait();
        for (const listener of listeners) listener();
      },
      stepMs - (Date.now() % stepMs),
    );
  };
  return {
    stepMs,
    read: () => {
      if (timer === undefined) update();
      return nowMs;
    },
    subscribe: (onTick) => {
      listeners.add(onTick);
      if (timer === undefined) {
        update();
        wait();
      }
      return () => {
        listeners.delete(onTick);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}

/** The clock of the ages in lists. */
export const SECONDS = createClock(1000);
