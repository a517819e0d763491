'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { usePages } from '@/components/data-table/use-pages';
import type { ApiKey, KeyScope, NewApiKey } from '@/lib/keys/schema';

export interface CreateBody {
  name: string;
  scope: KeyScope;
  /** A day, YYYY-MM-DD. */
  expiresAt?: string;
}

export interface RotateBody {
  /** Null, for what is no number of hours, is left to the API to refuse. */
  gracePeriodHours: number | null;
  /** A day, YYYY-MM-DD. */
  expiresAt?: string;
}

export function keysPath(projectId: string): string {
  return `/projects/${projectId}/api-keys`;
}

/** The keys of a project and what can be done with them. */
export function useKeys(projectId: string) {
  const pages = usePages<ApiKey>(keysPath(projectId));
  // The list is read anew beside the answer and not before it: if that failed, a plaintext shown once would be lost.
  const make = async (path: string, body: CreateBody | RotateBody): Promise<NewApiKey> => {
    const key = await apiFetch<NewApiKey>(path, { method: 'POST', body });
    void pages.reload();
    return key;
  };
  return {
    ...pages,
    create: (body: CreateBody) => make(keysPath(projectId), body),
    rotate: (keyId: string, body: RotateBody) => make(`${keysPath(projectId)}/${keyId}/rotate`, body),
    revoke: async (keyId: string) => {
      await apiFetch(`${keysPath(projectId)}/${keyId}`, { method: 'DELETE' });
      await pages.reload();
    },
  };
}
