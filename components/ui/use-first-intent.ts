'use client';

import { useEffect } from 'react';
import { type LazyPart, preload } from './lazy-part';

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Loads a part when the person first moves the pointer, touches the page or presses a key: before they open it. */
export function useFirstIntent(part: LazyPart<unknown>): void {
  useEffect(() => {
    const stop = () => {
      for (const sign of SIGNS) window.removeEventListener(sign, start);
    };
    const start = () => {
      stop();
      preload(part);
    };
    for (const sign of SIGNS) window.addEventListener(sign, start, { passive: true });
    return stop;
  }, [part]);
}
