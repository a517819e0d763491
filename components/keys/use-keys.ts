'use client';

import { usePages } from '@/components/data-table/use-pages';
import { apiFetch } from '@/components/session/api-fetch';
import type { ApiKey, KeyScope, NewApiKey } from '@/lib/keys/schema';

export function keysPath(projectId: string): string {
  return `/projects/${projectId}/api-keys`;
}

/** The keys of a project and what can be done with them. */
export function useKeys(projectId: string) {
  const pages = usePages<ApiKey>(keysPath(projectId));
  return {
    ...pages,
    create: async (body: { name: string; scope: KeyScope; expiresAt?: string }): Promise<NewApiKey> => {
      const key = await apiFetch<NewApiKey>(keysPath(projectId), { method: 'POST', body });
      await pages.reload();
      return key;
    },
    revoke: async (keyId: string) => {
      await apiFetch(`${keysPath(projectId)}/${keyId}`, { method: 'DELETE' });
      await pages.reload();
    },
  };
}
