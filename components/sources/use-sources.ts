'use client';

import { useParams } from 'next/navigation';
import { createContext, useContext } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useChanges } from '@/components/live/use-changes';
import type { useSecret } from '@/components/projects/secret-card';
import { useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred, useResource } from '@/components/projects/use-resource';
import type { SignatureCheck, VerifySignatureBody } from '@/lib/delivery/schema';
import type { CreateSourceBody, IncomingEvent, Source, SourceSecret, UpdateSourceBody } from '@/lib/incoming/schema';

export type NewSource = Partial<CreateSourceBody> & Pick<CreateSourceBody, 'name' | 'provider'>;

/** Loads the first hundred sources, to show their names and to choose from them. */
export function useSourceNames() {
  return useFirstHundred<Source>(useProjectPath('sources'));
}

/** Loads the source of the page and returns its actions. */
export function useSource() {
  const { sourceId } = useParams<{ sourceId: string }>();
  const resource = useResource<Source>(`sources/${sourceId}`);
  const { path, show, reload } = resource;
  return {
    ...resource,
    update: (body: UpdateSourceBody) => resource.update(body),
    revealSecret: () => apiFetch<SourceSecret>(`${path}/secret`),
    /** Replaces the secret with the given one, or with a generated one. */
    rotateSecret: (secret: string | undefined, gracePeriodHours: number) => {
      const body = { gracePeriodHours, ...(secret === undefined ? {} : { secret }) };
      return apiFetch<SourceSecret>(`${path}/rotate-secret`, { method: 'POST', body });
    },
    endPreviousSecret: async () => {
      await apiFetch(`${path}/previous-secret`, { method: 'DELETE' });
      await reload();
    },
    checkSignature: (body: VerifySignatureBody) =>
      apiFetch<SignatureCheck>(`${path}/verify-signature`, { method: 'POST', body }),
    rotateUrl: async (gracePeriodHours: number) =>
      show(await apiFetch<Source>(`${path}/rotate-url`, { method: 'POST', body: { gracePeriodHours } })),
  };
}

/** What every part of the page of a source needs. */
interface SourceScope {
  source: Source;
  actions: ReturnType<typeof useSource>;
  secret: ReturnType<typeof useSecret<SourceSecret>>;
}

export const SourceContext = createContext<SourceScope | null>(null);

/** @throws Error outside the page of a source */
export function useSourceScope(): SourceScope {
  const scope = useContext(SourceContext);
  if (scope === null) throw new Error('useSourceScope needs a SourceContext');
  return scope;
}

const KINDS = ['incomingEvents'] as const;
const REFRESH_MS = 2000;

/** Loads the newest event that matches a query. */
function useNewest(query: string, refreshInterval: number) {
  const path = useProjectPath(`incoming-events?${query}&limit=1`);
  const { data, error, mutate } = useSWR<CursorPage<IncomingEvent>>(path, { refreshInterval });
  return {
    /** Undefined while loading, null without one. */
    event: data === undefined ? undefined : (data.data[0] ?? null),
    hasSettled: data !== undefined || error !== undefined,
    reload: () => mutate(),
  };
}

/**
 * Loads the newest event of the source, whether it was verified or not, and the newest one that it accepted: a verified one
 * where it verifies signatures, since a stranger who knows the URL can send others.
 */
export function useLastEvents(refreshInterval = 0) {
  const { id, provider } = useSourceScope().source;
  const verifies = provider !== 'NONE';
  const last = useNewest(`sourceId=${id}`, refreshInterval);
  // Without verification both are one, which is loaded once.
  const accepted = useNewest(`sourceId=${id}${verifies ? '&verified=true' : ''}`, verifies ? refreshInterval : 0);
  const reload = () => Promise.all([last.reload(), verifies && accepted.reload()]);
  return { last, accepted, reload };
}

/**
 * Keeps both events current for the whole page: each other use of `useLastEvents` shows what this one loads.
 * @returns whether they were loaded, or cannot be
 */
export function useFollowedLastEvents(): boolean {
  const { last, accepted, reload } = useLastEvents(REFRESH_MS);
  useChanges(useProjectId(), KINDS, reload);
  return last.hasSettled && accepted.hasSettled;
}
