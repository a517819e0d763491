'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import { incomingEventsPath } from '@/components/incoming-events/use-incoming-events';
import type { IncomingEvent, Source } from '@/lib/incoming/schema';

const REFRESH_MS = 2000;

/** Loads the newest event that matches a query, and keeps it current; undefined while loading, null without one. */
function useNewest(projectId: string, query: string): IncomingEvent | null | undefined {
  const path = `${incomingEventsPath(projectId)}?${query}&limit=1`;
  const { data } = useSWR<CursorPage<IncomingEvent>>(path, { refreshInterval: REFRESH_MS });
  return data === undefined ? undefined : (data.data[0] ?? null);
}

/** Loads the newest event of a source, whether it was verified or not. */
export function useLastEvent(projectId: string, source: Pick<Source, 'id'>) {
  return useNewest(projectId, `sourceId=${source.id}`);
}

/**
 * Loads the newest event that a source accepted: a verified one where it verifies signatures. A stranger who knows the URL
 * can send events that are not.
 */
export function useLastAcceptedEvent(projectId: string, source: Pick<Source, 'id' | 'provider'>) {
  return useNewest(projectId, `sourceId=${source.id}${source.provider === 'NONE' ? '' : '&verified=true'}`);
}
