'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useProjectPath } from '@/components/projects/use-projects';
import type { EventReplay, EventReplayPreview, EventReplaySelect } from '@/lib/delivery/schema';

const RUNNING_MS = 1000;
/** A project runs three at once; the rest is one that has just ended. */
const SHOWN = 5;

/** Which events are sent, and where. */
export interface NewEventReplay {
  endpointId: string;
  from: string;
  select?: EventReplaySelect;
}

/** Loads the newest event replays of a project, polls while one runs, and returns their actions. */
export function useEventReplays() {
  const path = useProjectPath('event-replays');
  const swr = useSWR<CursorPage<EventReplay>>(`${path}?limit=${SHOWN}`, {
    refreshInterval: (page) => (page?.data.some(({ status }) => status === 'RUNNING') ? RUNNING_MS : 0),
  });
  const change = async (request: Promise<EventReplay>) => {
    const changed = await request;
    await swr.mutate();
    return changed;
  };
  return {
    eventReplays: swr.data?.data,
    start: (body: NewEventReplay) => change(apiFetch<EventReplay>(path, { method: 'POST', body })),
    cancel: (id: string) => change(apiFetch<EventReplay>(`${path}/${id}/cancel`, { method: 'POST' })),
  };
}

/** Counts what an event replay would send; counts nothing without one. The last number stays until the next one is known. */
export function useEventReplayPreview(wanted: NewEventReplay | null) {
  const path = useProjectPath('event-replays');
  const { data, error, isLoading, mutate } = useSWR<EventReplayPreview>(
    wanted === null ? null : [path, 'preview', wanted.endpointId, wanted.from, wanted.select],
    () => apiFetch<EventReplayPreview>(path, { method: 'POST', body: { ...wanted, dryRun: true } }),
    // Counting costs, and what was missed in the past does not change.
    { keepPreviousData: false, revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  return { preview: data, error: error as unknown, isLoading, recount: () => mutate() };
}
