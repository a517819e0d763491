'use client';

import useSWR from 'swr';
import { useChanges } from '@/components/live/use-changes';
import type { EventDetail } from '@/lib/delivery/schema';

const KINDS = ['deliveries'] as const;
const SETTLING_MS = 2000;

export function eventsPath(projectId: string): string {
  return `/projects/${projectId}/events`;
}

/** Loads one event, and follows its deliveries while they can still change. */
export function useEvent(projectId: string, eventId: string | null) {
  const swr = useSWR<EventDetail>(eventId === null ? null : `${eventsPath(projectId)}/${eventId}`, {
    refreshInterval: (event) => (event !== undefined && isSettling(event) ? SETTLING_MS : 0),
  });
  const { data: event, mutate } = swr;
  const mayChange = event !== undefined && isSettling(event);
  useChanges(mayChange ? projectId : null, KINDS, () => mutate());
  return swr;
}

/** Whether deliveries are pending, or not made yet. */
function isSettling(event: EventDetail): boolean {
  return event.fanOutStatus === 'PENDING' || event.deliveries.some((delivery) => delivery.status === 'PENDING');
}
