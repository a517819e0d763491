'use client';

import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react';

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

/** For a countdown, which must not end up to a second late. */
const QUARTERS = createClock(250);

/** Returns the current time, updated every `everyMs` milliseconds. */
export function useNow(everyMs: number): Date {
  const clock = everyMs < 1000 ? QUARTERS : SECONDS;
  const shownMs = useRef(0);
  const read = useCallback(() => {
    const nowMs = clock.read();
    // A tick may come some milliseconds early or late.
    if (Math.abs(nowMs - shownMs.current) >= everyMs - clock.stepMs / 2) shownMs.current = nowMs;
    return shownMs.current;
  }, [clock, everyMs]);
  const nowMs = useSyncExternalStore(clock.subscribe, read, read);
  return useMemo(() => new Date(nowMs), [nowMs]);
}
