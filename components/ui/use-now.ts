'use client';

import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react';
import { createClock, SECONDS } from './clock';

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
