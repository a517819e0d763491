'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import { incomingEventsPath } from '@/components/incoming-events/use-incoming-events';
import { useChanges } from '@/components/live/use-changes';
import type { IncomingEvent, Source } from '@/lib/incoming/schema';

const KINDS = ['incomingEvents'] as const;
const REFRESH_MS = 2000;

/** Loads the newest event that matches a query, and keeps it current. */
function useNewest(projectId: string, query: string) {
  const path = `${incomingEventsPath(projectId)}?${query}&limit=1`;
  const { data, error, mutate } = useSWR<CursorPage<IncomingEvent>>(path, { refreshInterval: REFRESH_MS });
  return {
    /** Undefined while loading, null without one. */
    event: data === undefined ? undefined : (data.data[0] ?? null),
    hasSettled: data !== undefined || error !== undefined,
    reload: () => mutate(),
  };
}

/** Loads the newest event of a source, whether it was verified or not. */
export function useLastEvent(projectId: string, source: Pick<Source, 'id'>) {
  return useNewest(projectId, `sourceId=${source.id}`).event;
}

/**
 * Loads the newest event that a source accepted: a verified one where it verifies signatures. A stranger who knows the URL
 * can send events that are not.
 */
export function useLastAcceptedEvent(projectId: string, source: Pick<Source, 'id' | 'provider'>) {
  return useNewest(projectId, acceptedBy(source)).event;
}

/** Loads both of these events again when one arrives. Returns whether they were loaded, or cannot be. */
export function useLastEvents(projectId: string, source: Pick<Source, 'id' | 'provider'>): boolean {
  const [last, accepted] = [useNewest(projectId, `sourceId=${source.id}`), useNewest(projectId, acceptedBy(source))];
  useChanges(projectId, KINDS, () => Promise.all([last.reload(), accepted.reload()]));
  return last.hasSettled && accepted.hasSettled;
}

function acceptedBy({ id, provider }: Pick<Source, 'id' | 'provider'>): string {
  return `sourceId=${id}${provider === 'NONE' ? '' : '&verified=true'}`;
}
