'use client';

import { useEffect, useState } from 'react';
import { useLinkToken } from '@/components/auth/use-link-token';

const STORAGE_KEY = 'eds-invitation';

/**
 * The token of the invitation whose link led here; empty when there is none, undefined until the browser has been asked.
 *
 * It leaves the address bar at once, and is kept for this tab, since signing in leads away from this page, maybe over the
 * provider's, and back without it. In the way back (`returnTo`) it would stand in histories and logs after all. Whoever
 * read it here could not use it: it is good for its address alone.
 */
export function useInvitationToken(): { token: string | undefined; forget: () => void } {
  const linked = useLinkToken();
  const [token, setToken] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (linked !== '') keep(linked);
    setToken(linked === '' ? readKept() : linked);
  }, [linked]);
  return { token, forget: () => keep('') };
}

function readKept(): string {
  try {
    return window.sessionStorage.getItem(STORAGE_KEY) ?? '';
  } catch {
    return '';
  }
}

function keep(token: string): void {
  try {
    if (token === '') window.sessionStorage.removeItem(STORAGE_KEY);
    else window.sessionStorage.setItem(STORAGE_KEY, token);
  } catch {
    // Denied storage: after signing in, the link has to be opened once more.
  }
}
