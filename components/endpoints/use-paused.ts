'use client';

import { useEffect, useState } from 'react';

const TYPING_MS = 400;

/** Returns a value after a pause in its changes: what is typed, once the person stops. */
export function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
