'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { type OutageTarget, useOutages } from '@/components/endpoints/use-outages';
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

/** Returns what the outages of a destination are loaded and sent by. */
export function outageTargetOf({ path, update }: DestinationActions, destination: Destination): OutageTarget {
  const { id } = destination;
  return {
    noun: 'destination',
    path: `${path}/${id}`,
    filter: { destinationId: id },
    state: destination,
    enable: () => update(id, { enabled: true }),
  };
}

/** More would keep the page waiting: their outages are loaded one after another. */
const MAX_WITH_OUTAGES = 10;

/** Loads the outages of the destinations of a source: of the first ten, failing ones before others. */
export function useDestinationOutages(actions: DestinationActions) {
  const { destinations = [] } = actions;
  const first = [...destinations].sort((a, b) => Number(a.failingSince === null) - Number(b.failingSince === null));
  return useOutages(first.slice(0, MAX_WITH_OUTAGES).map((destination) => outageTargetOf(actions, destination)));
}

/** Describes the stored authentication: "Basic, as eds". */
export function describeAuth(auth: Destination['auth']): string {
  if (auth === null) return 'No authentication';
  if (auth.type === 'UNREADABLE') return 'Can’t be read. Enter it again';
  if (auth.type === 'BASIC') return `Basic, as ${auth.username}`;
  return auth.type === 'BEARER' ? 'Bearer token' : `Header ${auth.name}`;
}
