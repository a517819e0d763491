'use client';

import { useEffect, useState } from 'react';
import { useLinkToken } from '@/components/auth/use-link-token';

const STORAGE_KEY = 'eds-invitation';

/**
 * Returns the token of the invitation link; empty without one, undefined until session storage has been read.
 *
 * The token is removed from the address bar and kept for this tab, since signing in leaves this page and returns without
 * the token. In the return path, it would reach browser histories and logs. Reading it from storage is harmless: it works only for the
 * invited address.
 */
export function useInvitationToken(): { token: string | undefined; forget: () => void } {
  const linked = useLinkToken();
  const [token, setToken] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (linked !== '') keep(linked);
    setToken(linked === '' ? keptInvitationToken() : linked);
  }, [linked]);
  return { token, forget: () => keep('') };
}

/** Returns the token of the invitation that this tab opened; empty without one. */
export function keptInvitationToken(): string {
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
    // Without storage, the person has to open the link again after signing in.
  }
}
