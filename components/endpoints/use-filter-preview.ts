'use client';

import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useProjectPath } from '@/components/projects/use-projects';
import type { EventDetail, FilterPreview } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';
import { pathsOf } from './filter-draft';

/**
 * Tries a filter against the newest events of the project.
 * @param filter its JSON; null to try none
 * @param eventTypes only events of these types or patterns; empty for all
 */
export function useFilterPreview(filter: string | null, eventTypes: readonly string[]) {
  const path = useProjectPath('filter-previews');
  const types = eventTypes.length === 0 ? '' : `,"eventTypes":${JSON.stringify(eventTypes)}`;
  const bodyText = `{"filter":${filter}${types}}`;
  const { data, error, isLoading } = useSWR<FilterPreview>(
    filter === null ? null : [path, bodyText],
    () => apiFetch<FilterPreview>(path, { method: 'POST', bodyText }),
    { keepPreviousData: true, revalidateOnFocus: false },
  );
  return { preview: data, error: error as unknown, isLoading };
}

/** Loads the paths of values in the newest event of the project, to choose from; empty while they load. */
export function useNewestPaths(): string[] {
  const path = useProjectPath('events');
  const options = { revalidateOnFocus: false };
  const newest = useSWR<CursorPage<EventListItem>>(`${path}?limit=1`, options).data?.data[0];
  const { data: event } = useSWR<EventDetail>(newest === undefined ? null : `${path}/${newest.id}`, options);
  return event === undefined ? [] : pathsOf(event.data);
}

const TYPING_MS = 400;

/** Returns a value after a pause in its changes: what is typed, once the person stops. */
export function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
