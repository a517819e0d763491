'use client';

import { useEffect, useState } from 'react';

/** Waits for a pause in typing. */
const PAUSE_MS = 150;
const MAX_CHARACTERS = 200;

/** Returns what is searched for as a text is typed. `settled` follows it after a pause in typing. */
export function useSettled(typed: string): { wanted: string; settled: string } {
  const [settled, setSettled] = useState('');
  const wanted = typed.trim().slice(0, MAX_CHARACTERS);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  return { wanted, settled };
}
