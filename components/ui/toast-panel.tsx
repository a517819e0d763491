'use client';

import { useTheme } from 'next-themes';
import type { CSSProperties } from 'react';
import { Toaster } from 'sonner';

export { toast } from 'sonner';

/** The toasts, once their code is loaded. */
export function ToastPanel() {
  const { resolvedTheme } = useTheme();
  return (
    <Toaster
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      style={
        {
          '--normal-bg': 'var(--surface)',
          '--normal-border': 'var(--border)',
          '--normal-text': 'var(--text)',
          '--border-radius': '8px',
          fontFamily: 'var(--font-sans)',
        } as CSSProperties
      }
    />
  );
}
