'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred } from '@/components/projects/use-resource';
import type {
  CreateDestinationBody,
  Destination,
  DestinationSecret,
  UpdateDestinationBody,
} from '@/lib/incoming/schema';

/** Deliveries change the health of a destination. */
const REFRESH_MS = 5000;

/** Loads the first hundred destinations of a source and returns their actions. Loads nothing without a source. */
export function useDestinations(sourceId: string | undefined) {
  const path = useProjectPath(`sources/${sourceId}/destinations`);
  const list = useFirstHundred<Destination>(sourceId === undefined ? null : path, { refreshInterval: REFRESH_MS });
  const change = async <T>(tail: string, method: 'POST' | 'PATCH' | 'DELETE', body?: unknown): Promise<T> => {
    const changed = await apiFetch<T>(path + tail, { method, body });
    await list.reload();
    return changed;
  };
  return {
    path,
    destinations: list.rows,
    error: list.error,
    reload: list.reload,
    create: (body: Partial<CreateDestinationBody>) => change<Destination>('', 'POST', body),
    update: (id: string, body: UpdateDestinationBody) => change<Destination>(`/${id}`, 'PATCH', body),
    remove: (id: string) => change(`/${id}`, 'DELETE'),
    revealSecret: (id: string) => apiFetch<DestinationSecret>(`${path}/${id}/secret`),
    rotateSecret: (id: string, gracePeriodHours = 0) =>
      change<DestinationSecret>(`/${id}/rotate-secret`, 'POST', { gracePeriodHours }),
    endPreviousSecret: (id: string) => change(`/${id}/previous-secret`, 'DELETE'),
    removeSecret: (id: string) => change(`/${id}/secret`, 'DELETE'),
  };
}

export type DestinationActions = ReturnType<typeof useDestinations>;

/** Describes the stored authentication: "Basic, as eds". */
export function describeAuth(auth: Destination['auth']): string {
  if (auth === null) return 'No authentication';
  if (auth.type === 'UNREADABLE') return 'Can’t be read. Enter it again';
  if (auth.type === 'BASIC') return `Basic, as ${auth.username}`;
  return auth.type === 'BEARER' ? 'Bearer token' : `Header ${auth.name}`;
}
