'use client';

import { X } from 'lucide-react';
import type { ReactNode } from 'react';

/** A filter that cannot be changed, only removed. */
export function FilterChip({ onRemove, children }: { onRemove: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onRemove}
      className="inline-flex h-7 items-center gap-1.5 rounded-full bg-accent-subtle px-2.5 font-medium text-accent-text text-xs max-sm:self-start sm:mt-1"
    >
      {children}
      <X aria-hidden="true" className="size-3.5" />
      <span className="sr-only">, remove this filter</span>
    </button>
  );
}
