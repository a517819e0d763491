'use client';

import { useTheme } from 'next-themes';
import { Toaster as Sonner } from 'sonner';

export { toast } from 'sonner';

/** Shows short confirmations. Anything that needs an answer or must not be missed belongs in the page. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      style={
        {
          '--normal-bg': 'var(--surface)',
          '--normal-border': 'var(--border)',
          '--normal-text': 'var(--text)',
          '--border-radius': '8px',
          fontFamily: 'var(--font-sans)',
        } as React.CSSProperties
      }
    />
  );
}
