'use client';

import type { ReactNode } from 'react';
import { Toaster } from '@/components/ui/toast';

// Every page loads these. A build puts them into the script of the layout, and into one of each page when the layout lacks them.
export { Button } from '@/components/ui/button';
export { Link } from '@/components/ui/link';

/** What every page has besides its content: the place of the toasts. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <Toaster />
    </>
  );
}
