'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { usePages } from '@/components/data-table/use-pages';
import type { ApiKey, KeyScope, NewApiKey } from '@/lib/keys/schema';

export interface CreateBody {
  name: string;
  scope: KeyScope;
  /** YYYY-MM-DD. */
  expiresAt?: string;
}

export interface RotateBody {
  /** Null for an invalid number, which the API refuses. */
  gracePeriodHours: number | null;
  /** YYYY-MM-DD. */
  expiresAt?: string;
}

export function keysPath(projectId: string): string {
  return `/projects/${projectId}/api-keys`;
}

/** Loads the keys of a project and returns their actions. */
export function useKeys(projectId: string) {
  const pages = usePages<ApiKey>(keysPath(projectId));
  // Does not wait for the list: if its reload failed, the plaintext would be lost.
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
