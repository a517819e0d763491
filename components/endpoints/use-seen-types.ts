'use client';

import useSWR from 'swr';
import type { EventTypes } from '@/lib/events/schema';

/** Loads the types of the events that a project has, in alphabetical order; undefined while they load. */
export function useSeenTypes(projectId: string): string[] | undefined {
  const { data, error } = useSWR<EventTypes>(`/projects/${projectId}/event-types`);
  // Types only help to choose: without them, people type.
  return error ? [] : data?.data;
}
