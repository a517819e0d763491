'use client';

import { Search } from 'lucide-react';
import { useId } from 'react';
import { cn } from '@/components/ui/cn';
import { Input } from '@/components/ui/input';
import { FilterFault } from './filter-fault';
import { useTypedFilter } from './use-typed-filter';

/** A text filter that applies after a pause in typing, or on Enter. */
export function TextFilter({
  label,
  placeholder,
  value,
  onChange,
  faultOf,
  width = 'sm:w-64',
  isSearch = true,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Returns what is wrong with a text, in one sentence; it is then not applied. */
  faultOf?: (typed: string) => string | undefined;
  /** The class of its width; on narrow screens it fills the row. */
  width?: string;
  /** Whether the shortcut `/` focuses it. */
  isSearch?: boolean;
}) {
  const id = useId();
  const { typed, setTyped, fault, apply } = useTypedFilter({ value, onChange, faultOf });
  return (
    <div className={cn('relative min-w-0', width)}>
      <Search aria-hidden="true" className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" />
      <Input
        {...(isSearch ? { 'data-search': '' } : {})}
        type="search"
        aria-label={label}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        placeholder={placeholder}
        value={typed}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply(typed);
        }}
        className="pl-8"
      />
      <FilterFault id={`${id}-fault`} fault={fault} />
    </div>
  );
}
