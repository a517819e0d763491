'use client';

import { FileText } from 'lucide-react';
import { useEffect } from 'react';
import { MethodBadge } from '@/components/docs/api/method-badge';
import { cn } from '@/components/ui/cn';
import type { SearchEntry } from './search-entries';

/** The results below the search field; the active one is that which Enter opens. */
export function SearchResults({
  id,
  results,
  active,
  onFollow,
}: {
  /** Prefixes the ids of the list and its options. */
  id: string;
  results: readonly SearchEntry[];
  active: number;
  onFollow: (href: string) => void;
}) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div className="absolute inset-x-0 top-full mt-1.5 animate-enter overflow-hidden rounded-lg bg-surface shadow-floating lg:left-auto lg:w-128">
      <div
        id={`${id}-results`}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1"
      >
        {results.map((entry, index) => (
          <Option
            key={entry.href}
            id={`${id}-${index}`}
            entry={entry}
            isActive={index === active}
            onFollow={onFollow}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {`${results.length} results`}
      </p>
    </div>
  );
}

function Option({
  id,
  entry,
  isActive,
  onFollow,
}: {
  id: string;
  entry: SearchEntry;
  isActive: boolean;
  onFollow: (href: string) => void;
}) {
  const { title, page, call } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search field
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Keeps the focus in the field, whose blur would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onFollow(entry.href)}
      className={cn(
        'flex cursor-pointer items-center gap-3 rounded-md px-2.5 py-2 hover:bg-sunken',
        isActive && 'bg-sunken',
      )}
    >
      <span className="flex w-10 shrink-0 justify-center">
        {call === undefined ? (
          <FileText aria-hidden="true" className="size-4 text-muted" />
        ) : (
          <MethodBadge method={call.method} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{title}</span>
        <span className="block truncate text-muted text-xs">
          {page}
          {call === undefined ? null : <span className="font-mono"> · {call.path}</span>}
        </span>
      </span>
    </div>
  );
}
