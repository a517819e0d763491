'use client';

import { useMemo } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { clearSession, signOut } from '@/components/auth-session/session';
import { usePages } from '@/components/data-table/use-pages';
import type { Session } from '@/lib/auth/schema';

/** Loads the open sessions of the signed-in person, the current one first, and returns their actions. */
export function useSessions() {
  const pages = usePages<Session>('/auth/sessions');
  const rows = useMemo(() => pages.rows?.toSorted((a, b) => Number(b.current) - Number(a.current)), [pages.rows]);
  return {
    sessions: { ...pages, rows },
    close: async (sessionId: string) => {
      await apiFetch(`/auth/sessions/${sessionId}`, { method: 'DELETE' }).catch(ignoreEnded);
      await pages.reload();
    },
    closeOthers: async () => {
      await apiFetch('/auth/sessions?keepCurrent=true', { method: 'DELETE' });
      await pages.reload();
    },
    /** Signs out in this browser. */
    closeCurrent: signOut,
    closeAll: async () => {
      await apiFetch('/auth/sessions', { method: 'DELETE' });
      clearSession('signed-out');
    },
  };
}

/** A session that has already ended is closed, as requested. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
