'use client';

import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { SearchResults } from '@/lib/search/schema';

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
