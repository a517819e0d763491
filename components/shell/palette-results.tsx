'use client';

import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { SearchResult, SearchResults } from '@/lib/search/schema';
import { Group, Item } from './palette-item';
import { KIND_LABELS, resultPath } from './search-results';

/** What the organization has with the typed id or text. */
export function PaletteResults({
  results,
  organizationId,
  typed,
  run,
}: {
  results: readonly SearchResult[];
  organizationId: string;
  typed: string;
  /** Closes the palette, then runs the action. */
  run: (action: () => void) => () => void;
}) {
  const router = useRouter();
  if (results.length === 0) return null;
  return (
    <Group heading="Found">
      {results.map((result) => (
        // The server has matched it: the filter of the palette must keep it.
        <Item
          key={`${result.kind} ${result.id}`}
          value={`${typed} ${result.kind} ${result.id}`}
          onSelect={run(() => router.push(resultPath(result, organizationId)))}
        >
          <Search aria-hidden="true" />
          <span className="truncate">{result.title}</span>
          <span className="ml-auto shrink-0 truncate text-muted text-xs">
            {KIND_LABELS[result.kind]}
            {result.projectName === null || result.kind === 'project' ? '' : ` · ${result.projectName}`}
          </span>
        </Item>
      ))}
    </Group>
  );
}

/** Waits for a pause in typing. */
const PAUSE_MS = 150;
const MIN_CHARACTERS = 2;

/** Searches an organization for what is typed. `results` are those of the last search that ended. */
export function useSearch(organizationId: string | undefined, typed: string) {
  const [settled, setSettled] = useState('');
  const wanted = typed.trim().slice(0, 200);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isSearching = organizationId !== undefined && wanted.length >= MIN_CHARACTERS;
  const path =
    isSearching && settled.length >= MIN_CHARACTERS
      ? `/orgs/${organizationId}/search?${new URLSearchParams({ q: settled })}`
      : null;
  const { data, error, isLoading } = useSWR<SearchResults>(path, { keepPreviousData: true });
  return {
    results: isSearching ? (data?.results ?? []) : [],
    failed: isSearching && error !== undefined,
    isLoading: isSearching && (isLoading || settled !== wanted),
  };
}
