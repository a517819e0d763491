'use client';

import { useEffect } from 'react';
import useSWR from 'swr';
import { useChanges } from '@/components/live/use-changes';
import { useProjectId, useProjectPath } from '@/components/projects/use-projects';
import type { EventDetail } from '@/lib/delivery/schema';
import type { IncomingEventDetail } from '@/lib/incoming/schema';

const KINDS = ['deliveries'] as const;
const SETTLING_MS = 2000;

/**
 * Loads what is at a path of the API, and follows it while its deliveries can still change. Loads nothing without a path.
 * @param mayChange says whether they can
 */
export function useFollowed<Data>(path: string | null, mayChange: (data: Data) => boolean) {
  const projectId = useProjectId();
  const isSettling = (data: Data | undefined) => data !== undefined && mayChange(data);
  const { data, error, mutate } = useSWR<Data>(path, {
    refreshInterval: (latest) => (isSettling(latest) ? SETTLING_MS : 0),
  });
  const isFollowed = isSettling(data);
  const stream = useChanges(isFollowed ? projectId : null, KINDS, () => mutate());
  const isLive = isFollowed && stream === 'live';
  // The stream tells of what changes after it is ready. What was read before that may have ended in between.
  useEffect(() => {
    if (isLive) void mutate();
  }, [isLive, mutate]);
  return { data, error: error as unknown, reload: () => mutate() };
}

/** Loads an event with its deliveries. */
export function useEvent(eventId: string | null) {
  const path = useProjectPath(`events/${eventId}`);
  return useFollowed<EventDetail>(
    eventId === null ? null : path,
    ({ fanOutStatus, deliveries }) =>
      fanOutStatus === 'PENDING' || deliveries.some((delivery) => delivery.status === 'PENDING'),
  );
}

/** Loads what never changes, once. Loads nothing without an id. */
function useFixed<Data>(collection: string, id: string | null) {
  const path = useProjectPath(`${collection}/${id}`);
  const swr = useSWR<Data>(id === null ? null : path, { revalidateOnFocus: false });
  return { data: swr.data, error: swr.error as unknown, reload: () => swr.mutate() };
}

/** Loads an incoming event with its headers and body. It never changes. */
export const useIncomingEvent = (id: string | null) => useFixed<IncomingEventDetail>('incoming-events', id);

/** Loads what an event was sent with. It never changes. */
export const useSentEvent = (id: string | null) => useFixed<Pick<EventDetail, 'data'>>('events', id);
