'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import type { CreateReplayBody, Replay, ReplayedIncomingEvent } from '@/lib/incoming/schema';
import { incomingEventsPath } from './use-incoming-events';

const RUNNING_MS = 1000;

/** The times of the events to replay; undefined for the first, or the last. */
export interface ReplayPeriod {
  from?: string | undefined;
  to?: string | undefined;
}

type NewReplay = Pick<CreateReplayBody, 'sourceId' | 'destinationId'> & ReplayPeriod;

function replaysPath(projectId: string): string {
  return `/projects/${projectId}/incoming-event-replays`;
}

/** Loads the newest replay of a project, polls while it runs, and returns the actions of replays. */
export function useNewestReplay(projectId: string) {
  const path = replaysPath(projectId);
  const swr = useSWR<CursorPage<Replay>>(`${path}?limit=1`, {
    refreshInterval: (page) => (page?.data[0]?.status === 'RUNNING' ? RUNNING_MS : 0),
  });
  const show = async (replay: Replay) => {
    await swr.mutate({ data: [replay], nextCursor: null });
    return replay;
  };
  return {
    replay: swr.data?.data[0],
    start: async (body: NewReplay) => show(await apiFetch<Replay>(path, { method: 'POST', body })),
    cancel: async (id: string) => show(await apiFetch<Replay>(`${path}/${id}/cancel`, { method: 'POST' })),
  };
}

/** Sends one incoming event again, to one destination or to each that is enabled. */
export function replayIncomingEvent(
  projectId: string,
  incomingEventId: string,
  destinationId: string | undefined,
): Promise<ReplayedIncomingEvent> {
  const path = `${incomingEventsPath(projectId)}/${incomingEventId}/replay`;
  return apiFetch<ReplayedIncomingEvent>(path, { method: 'POST', body: destinationId ? { destinationId } : {} });
}
