'use client';

import useSWR from 'swr';
import { useSettled } from '@/components/data-table/use-settled';
import type { SearchResult, SearchResults } from '@/lib/search/schema';
import { organizationPath, projectPath } from './nav-items';

const MIN_CHARACTERS = 2;

/** Searches an organization for what is typed. `results` are those of the last search that ended. */
export function useSearch(organizationId: string | undefined, typed: string) {
  const { wanted, settled } = useSettled(typed);
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

/** What each kind of result is called. */
export const KIND_LABELS: Record<SearchResult['kind'], string> = {
  project: 'Project',
  customer: 'Customer',
  api_key: 'API key',
  endpoint: 'Endpoint',
  subscription: 'Subscription',
  event: 'Event',
  delivery: 'Delivery',
  source: 'Source',
  destination: 'Destination',
  incoming_event: 'Incoming event',
  tunnel: 'Tunnel',
  member: 'Member',
};

/** Kinds with a page of their own, by the part of its path. */
const PAGES: Partial<Record<SearchResult['kind'], string>> = {
  customer: 'customers',
  endpoint: 'endpoints',
  event: 'events',
  delivery: 'deliveries',
  source: 'sources',
  incoming_event: 'incoming-events',
  tunnel: 'tunnels',
  api_key: 'keys',
};

/** Returns the page that shows a result: its own, or the list that it is in. */
export function resultPath(result: SearchResult, organizationId: string): string {
  const { kind, id, projectId, sourceId } = result;
  if (projectId === null) return organizationPath(organizationId, 'members');
  const segment = PAGES[kind];
  if (segment !== undefined) return projectPath(projectId, `${segment}/${id}`);
  if (kind === 'destination' && sourceId !== null) return projectPath(projectId, `sources/${sourceId}`);
  return projectPath(projectId, kind === 'subscription' ? 'subscriptions' : 'events');
}
