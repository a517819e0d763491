'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { type CursorPage, usePages } from '@/components/data-table/use-pages';
import type { CreateSourceBody, Source, SourceSecret, UpdateSourceBody } from '@/lib/incoming/schema';

export type NewSource = Partial<CreateSourceBody> & Pick<CreateSourceBody, 'name' | 'provider'>;

export function sourcesPath(projectId: string): string {
  return `/projects/${projectId}/sources`;
}

/** Loads the sources of a project. */
export function useSources(projectId: string) {
  return usePages<Source>(sourcesPath(projectId));
}

/** Loads the first hundred sources, to show their names and to choose from them. */
export function useSourceNames(projectId: string) {
  const { data, isLoading } = useSWR<CursorPage<Source>>(`${sourcesPath(projectId)}?limit=100`);
  return {
    isLoading,
    sources: data?.data,
    sourceOf: (id: string | null) => data?.data.find((source) => source.id === id),
  };
}

/** Loads one source and returns its actions. */
export function useSource(projectId: string, sourceId: string) {
  const path = `${sourcesPath(projectId)}/${sourceId}`;
  const swr = useSWR<Source>(path);
  const show = (source: Source) => swr.mutate(source, { revalidate: false });
  return {
    source: swr.data,
    error: swr.error as unknown,
    reload: () => swr.mutate(),
    update: async (body: UpdateSourceBody) => show(await apiFetch<Source>(path, { method: 'PATCH', body })),
    remove: () => apiFetch(path, { method: 'DELETE' }),
    revealSecret: () => apiFetch<SourceSecret>(`${path}/secret`),
    rotateSecret: async (secret?: string) => {
      const body = secret === undefined ? {} : { secret };
      const rotated = await apiFetch<SourceSecret>(`${path}/rotate-secret`, { method: 'POST', body });
      await swr.mutate();
      return rotated;
    },
    rotateUrl: async (gracePeriodHours: number) =>
      show(await apiFetch<Source>(`${path}/rotate-url`, { method: 'POST', body: { gracePeriodHours } })),
  };
}

export type SourceActions = ReturnType<typeof useSource>;

export function createSource(projectId: string, body: NewSource): Promise<Source> {
  return apiFetch<Source>(sourcesPath(projectId), { method: 'POST', body });
}
