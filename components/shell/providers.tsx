'use client';

import { ThemeProvider } from 'next-themes';
import type { ReactNode } from 'react';
import { Toaster } from '@/components/ui/toast';
import { TooltipProvider } from '@/components/ui/tooltip';

/** The context of every page: theme, tooltips and toasts. */
export function Providers({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      <TooltipProvider delayDuration={300} skipDelayDuration={150}>
        {children}
      </TooltipProvider>
      <Toaster />
    </ThemeProvider>
  );
}
