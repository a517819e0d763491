'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { sourcesPath } from '@/components/sources/use-sources';
import type {
  CreateDestinationBody,
  Destination,
  DestinationSecret,
  UpdateDestinationBody,
} from '@/lib/incoming/schema';

/** Deliveries change the health of a destination. */
const REFRESH_MS = 5000;

export function destinationsPath(projectId: string, sourceId: string): string {
  return `${sourcesPath(projectId)}/${sourceId}/destinations`;
}

/** Loads the first hundred destinations of a source and returns their actions. Loads nothing without a source. */
export function useDestinations(projectId: string, sourceId: string | undefined) {
  const path = destinationsPath(projectId, sourceId ?? '');
  const swr = useSWR<CursorPage<Destination>>(sourceId === undefined ? null : `${path}?limit=100`, {
    refreshInterval: REFRESH_MS,
  });
  const change = async <T>(tail: string, method: 'POST' | 'PATCH' | 'DELETE', body?: unknown): Promise<T> => {
    const changed = await apiFetch<T>(path + tail, { method, ...(body === undefined ? {} : { body }) });
    await swr.mutate();
    return changed;
  };
  return {
    destinations: swr.data?.data,
    error: swr.error as unknown,
    reload: () => swr.mutate(),
    create: (body: Partial<CreateDestinationBody>) => change<Destination>('', 'POST', body),
    update: (id: string, body: UpdateDestinationBody) => change<Destination>(`/${id}`, 'PATCH', body),
    remove: (id: string) => change(`/${id}`, 'DELETE'),
    revealSecret: (id: string) => apiFetch<DestinationSecret>(`${path}/${id}/secret`),
    rotateSecret: (id: string) => change<DestinationSecret>(`/${id}/rotate-secret`, 'POST'),
    removeSecret: (id: string) => change(`/${id}/secret`, 'DELETE'),
  };
}

export type DestinationActions = ReturnType<typeof useDestinations>;
