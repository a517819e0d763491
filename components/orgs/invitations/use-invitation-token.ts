'use client';

import { useEffect, useState } from 'react';
import { useLinkToken } from '@/components/auth/email-link';
import { readStored, writeStored } from '@/components/ui/stored';

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
  return readStored(STORAGE_KEY, 'sessionStorage') ?? '';
}

/** Without storage, the person has to open the link again after signing in. */
function keep(token: string): void {
  writeStored(STORAGE_KEY, token === '' ? null : token, 'sessionStorage');
}
