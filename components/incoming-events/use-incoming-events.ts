'use client';

import useSWR from 'swr';
import type { IncomingEventDetail } from '@/lib/incoming/schema';

export function incomingEventsPath(projectId: string): string {
  return `/projects/${projectId}/incoming-events`;
}

/** Loads one incoming event with its headers and body. It never changes. */
export function useIncomingEvent(projectId: string, incomingEventId: string | null) {
  return useSWR<IncomingEventDetail>(
    incomingEventId === null ? null : `${incomingEventsPath(projectId)}/${incomingEventId}`,
    { revalidateOnFocus: false },
  );
}
