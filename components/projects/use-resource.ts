'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useProjectPath } from './use-projects';

/**
 * Loads one resource of the project and returns the actions that most resources have.
 * @param tail the end of its path: "endpoints/0199…"
 */
export function useResource<Resource>(tail: string, options: { refreshInterval?: number } = {}) {
  const path = useProjectPath(tail);
  const swr = useSWR<Resource>(path, options);
  const show = (resource: Resource) => swr.mutate(resource, { revalidate: false });
  return {
    path,
    data: swr.data,
    error: swr.error as unknown,
    reload: () => swr.mutate(),
    /** Shows the resource as the API has returned it. */
    show,
    update: async (body: object) => show(await apiFetch<Resource>(path, { method: 'PATCH', body })),
    remove: () => apiFetch(path, { method: 'DELETE' }),
  };
}

/** Loads the first hundred rows of a list, to show their names and to choose from them. Loads nothing without a path. */
export function useFirstHundred<Row extends { id: string }>(
  path: string | null,
  options: { refreshInterval?: number } = {},
) {
  const separator = path?.includes('?') ? '&' : '?';
  const swr = useSWR<CursorPage<Row>>(path === null ? null : `${path}${separator}limit=100`, options);
  const rows = swr.data?.data;
  return {
    rows,
    find: (id: string | null | undefined) => rows?.find((row) => row.id === id),
    hasMore: swr.data !== undefined && swr.data.nextCursor !== null,
    isLoading: swr.isLoading,
    error: swr.error as unknown,
    reload: () => swr.mutate(),
  };
}
