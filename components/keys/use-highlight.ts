'use client';

import { useEffect, useState } from 'react';

/** Longer than the animation, which must end before the same row can be highlighted again. */
const HIGHLIGHT_MS = 2000;
const NONE: ReadonlySet<string> = new Set();

/** Holds the highlighted row and removes the highlight after two seconds. */
export function useHighlight(): { highlighted: ReadonlySet<string>; highlight: (id: string) => void } {
  const [highlighted, setHighlighted] = useState(NONE);
  useEffect(() => {
    if (highlighted === NONE) return;
    const timer = setTimeout(() => setHighlighted(NONE), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);
  return { highlighted, highlight: (id) => setHighlighted(new Set([id])) };
}
