'use client';

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';

/** The filters above a table, and a button that clears them. */
export function FilterBar({
  active,
  onClear,
  children,
}: {
  active: boolean;
  onClear: () => void;
  children: ReactNode;
}) {
  return (
    <search aria-label="Filters" className="mb-3 grid grid-cols-2 items-start gap-2 sm:flex sm:flex-wrap">
      {children}
      {active ? (
        <Button variant="ghost" size="sm" className="mt-1" onClick={onClear}>
          <X aria-hidden="true" />
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}
