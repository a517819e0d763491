'use client';

import type { CSSProperties, ReactNode } from 'react';
import { Toaster as Sonner } from 'sonner';
import { useTheme } from '@/components/theme/use-theme';
import { TooltipProvider } from '@/components/ui/tooltip';

/** What every page has around its content: the tooltips and the place of the toasts. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <TooltipProvider>
      {children}
      <Toaster />
    </TooltipProvider>
  );
}

/** The place of the toasts. */
function Toaster() {
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
