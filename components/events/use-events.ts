'use client';

import useSWR from 'swr';
import type { EventDetail } from '@/lib/delivery/schema';

const SETTLING_MS = 2000;
/** Within this time of its making an event without a delivery may still be routed. */
const ROUTING_MS = 15_000;

export function eventsPath(projectId: string): string {
  return `/projects/${projectId}/events`;
}

/** One event, read again while something about it is still going to happen. */
export function useEvent(projectId: string, eventId: string | null) {
  return useSWR<EventDetail>(eventId === null ? null : `${eventsPath(projectId)}/${eventId}`, {
    refreshInterval: (event) => (event !== undefined && isSettling(event, new Date()) ? SETTLING_MS : 0),
  });
}

/** Whether deliveries are pending, or the event is so young that they may not be made yet. */
export function isSettling(event: EventDetail, now: Date): boolean {
  const young = now.getTime() - new Date(event.createdAt).getTime() < ROUTING_MS;
  return young || event.deliveries.some((delivery) => delivery.status === 'PENDING');
}
