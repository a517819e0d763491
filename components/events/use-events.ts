'use client';

import useSWR from 'swr';
import type { EventDetail } from '@/lib/delivery/schema';

const SETTLING_MS = 2000;
/** An event younger than this can still get deliveries. */
const ROUTING_MS = 15_000;

export function eventsPath(projectId: string): string {
  return `/projects/${projectId}/events`;
}

/** Loads one event, and polls while its deliveries can still change. */
export function useEvent(projectId: string, eventId: string | null) {
  return useSWR<EventDetail>(eventId === null ? null : `${eventsPath(projectId)}/${eventId}`, {
    refreshInterval: (event) => (event !== undefined && isSettling(event, new Date()) ? SETTLING_MS : 0),
  });
}

/** Whether deliveries are pending, or the event is so new that it may still get some. */
export function isSettling(event: EventDetail, now: Date): boolean {
  const young = now.getTime() - new Date(event.createdAt).getTime() < ROUTING_MS;
  return young || event.deliveries.some((delivery) => delivery.status === 'PENDING');
}
