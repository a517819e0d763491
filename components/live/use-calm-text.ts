'use client';

import { useEffect, useState } from 'react';

/** Returns a text for screen readers, at most one other text in `everyMs`: a count that changes each second is noise. */
export function useCalmText(text: string, everyMs: number): string {
  const [said, setSaid] = useState({ text: '', at: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    if (text === said.text) return;
    // Nothing to say needs no pause.
    const waitMs = text === '' ? 0 : Math.max(0, said.at + everyMs - performance.now());
    const timer = setTimeout(
      () => setSaid((before) => ({ text, at: text === '' ? before.at : performance.now() })),
      waitMs,
    );
    return () => clearTimeout(timer);
  }, [text, said, everyMs]);
  return said.text;
}
