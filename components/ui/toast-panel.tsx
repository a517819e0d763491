'use client';

import type { CSSProperties } from 'react';
import { Toaster } from 'sonner';
import { useTheme } from '@/components/theme/use-theme';

/** The toasts, once their code is loaded. */
export function ToastPanel() {
  const { isDark } = useTheme();
  return (
    <Toaster
      theme={isDark ? 'dark' : 'light'}
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
