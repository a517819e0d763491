'use client';

import { useEffect, useState } from 'react';

/** As long as a row glows, and a little more: it must be over before the same row can glow again. */
const GLOW_MS = 2000;
const NONE: ReadonlySet<string> = new Set();

/** The row that glows at present, and how to make one glow. */
export function useHighlight(): { highlighted: ReadonlySet<string>; highlight: (id: string) => void } {
  const [highlighted, setHighlighted] = useState(NONE);
  useEffect(() => {
    if (highlighted === NONE) return;
    const timer = setTimeout(() => setHighlighted(NONE), GLOW_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);
  return { highlighted, highlight: (id) => setHighlighted(new Set([id])) };
}
