'use client';

import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/swr-fetcher';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useSourceNames } from '@/components/sources/use-sources';
import type { Destination } from '@/lib/incoming/schema';
import { DESTINATION_NAMES, destinationsPath } from './use-destinations';

/** The API lists the destinations of one source, so each source costs a request. */
const MAX_SOURCES = 30;
/** Names change rarely. */
const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** Loads the destinations of the first thirty sources, to show their URLs and to choose from them, if `isNeeded`. */
export function useDestinationNames(projectId: string, isNeeded: boolean) {
  const { sources } = useSourceNames(projectId);
  const sourceIds = sources?.slice(0, MAX_SOURCES).map(({ id }) => id);
  const { data } = useSWR(
    isNeeded && sourceIds !== undefined ? [DESTINATION_NAMES, projectId, ...sourceIds] : null,
    async ([, project, ...ids]) => {
      const pages = await Promise.all(
        ids.map((id) => fetchFromApi<CursorPage<Destination>>(`${destinationsPath(project, id)}?limit=100`)),
      );
      return pages.flatMap((page) => page.data);
    },
    CACHED,
  );
  return {
    destinations: data,
    destinationOf: (id: string | null) => data?.find((destination) => destination.id === id),
  };
}
