'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/swr-fetcher';
import type { CursorPage } from '@/components/data-table/use-pages';
import { destinationsPath } from '@/components/destinations/use-destinations';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { useSourceNames } from '@/components/sources/use-sources';
import type { Destination } from '@/lib/incoming/schema';

/** The API lists the destinations of one source, so each source costs a request. */
const MAX_SOURCES = 30;
const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** A target to filter deliveries by. */
export interface TargetChoice {
  filter: 'endpointId' | 'destinationId';
  id: string;
  url: string;
}

/** Returns the targets to choose from: the endpoints and, once `load` was called, the destinations of thirty sources. */
export function useTargetChoices(projectId: string): { choices: TargetChoice[]; load: () => void } {
  const [isNeeded, setNeeded] = useState(false);
  const { endpoints = [] } = useEndpointNames(projectId);
  const { sources } = useSourceNames(projectId);
  const sourceIds = sources?.slice(0, MAX_SOURCES).map(({ id }) => id);
  const { data: destinations = [] } = useSWR(
    isNeeded && sourceIds !== undefined ? ['destinations of', projectId, ...sourceIds] : null,
    async ([, project, ...ids]) => {
      const pages = await Promise.all(
        ids.map((id) => fetchFromApi<CursorPage<Destination>>(`${destinationsPath(project, id)}?limit=100`)),
      );
      return pages.flatMap((page) => page.data);
    },
    CACHED,
  );
  return {
    choices: [
      ...endpoints.map(({ id, url }) => ({ filter: 'endpointId' as const, id, url })),
      ...destinations.map(({ id, url }) => ({ filter: 'destinationId' as const, id, url })),
    ],
    load: () => setNeeded(true),
  };
}
