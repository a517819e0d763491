'use client';

import { ChevronDown, SlidersHorizontal, X } from 'lucide-react';
import { Children, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';

/** The filters above a table, and a button that clears them. On narrow screens a button opens all but the first. */
export function FilterBar({
  active,
  onClear,
  children,
}: {
  /** How many filters are set. */
  active: number;
  onClear: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const hidden = useRef<HTMLDivElement>(null);
  // A link may set a filter to a text that cannot be one. The filter says so, and must be seen.
  useEffect(() => {
    if (hidden.current?.querySelector('[aria-invalid="true"]')) setOpen(true);
  }, []);
  const [first, ...others] = Children.toArray(children);
  return (
    <search aria-label="Filters" className="mb-3 flex flex-wrap items-start gap-2">
      <div className="min-w-0 grow basis-36 sm:contents">{first}</div>
      {others.length === 0 ? null : (
        <>
          <Button
            aria-expanded={isOpen}
            aria-controls={id}
            className="h-9 sm:hidden"
            onClick={() => setOpen((open) => !open)}
          >
            <SlidersHorizontal aria-hidden="true" />
            Filters
            {active === 0 ? null : (
              <span className="rounded-full bg-accent-subtle px-1.5 text-accent-text text-xs tabular-nums">
                {active}
                <span className="sr-only"> active</span>
              </span>
            )}
            <ChevronDown aria-hidden="true" className={cn('text-muted', isOpen && 'rotate-180')} />
          </Button>
          <div
            ref={hidden}
            id={id}
            className={cn('flex w-full flex-col gap-2 sm:contents', !isOpen && 'max-sm:hidden')}
          >
            {others}
          </div>
        </>
      )}
      {active === 0 ? null : (
        <Button variant="ghost" size="sm" className="sm:mt-1" onClick={onClear}>
          <X aria-hidden="true" />
          Clear filters
        </Button>
      )}
    </search>
  );
}

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
