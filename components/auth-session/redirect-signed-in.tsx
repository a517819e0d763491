'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { safeReturnTo } from './return-to';
import { followOtherTabs, mayHaveSession } from './session';
import { restoreSession, SessionRefresher, useSessionState } from './use-session';

/** Redirects an auth page to `returnTo` when the person is signed in: already, by its form, or in another tab. */
export function RedirectSignedIn() {
  const state = useSessionState();
  const router = useRouter();
  const returnTo = safeReturnTo(useSearchParams().get('returnTo'));
  useEffect(() => {
    const unfollow = followOtherTabs();
    if (mayHaveSession()) void restoreSession();
    return unfollow;
  }, []);
  useEffect(() => {
    if (state.status === 'signed-in') router.replace(returnTo);
    if (state.status === 'replaced') window.location.replace(returnTo);
  }, [state.status, router, returnTo]);
  return <SessionRefresher />;
}
