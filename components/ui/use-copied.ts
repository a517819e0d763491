'use client';

import { useEffect, useState } from 'react';
import { copyText } from './copy-text';

const SHOWN_MS = 2000;

export type CopyState = 'idle' | 'copied' | 'failed';

/** Copies text, and holds the result for two seconds. */
export function useCopied(): { state: CopyState; copy: (text: string) => Promise<boolean> } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return {
    state,
    copy: async (text) => {
      const copied = await copyText(text);
      setState(copied ? 'copied' : 'failed');
      return copied;
    },
  };
}
