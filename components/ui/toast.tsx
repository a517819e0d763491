'use client';

import type { CSSProperties } from 'react';
import { Toaster as Sonner } from 'sonner';
import { useTheme } from '@/components/theme/use-theme';

/** The place of the toasts. */
export function Toaster() {
  const { isDark } = useTheme();
  return (
    <Sonner
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
