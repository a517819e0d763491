'use client';

import { useEffect } from 'react';
import { refreshDelayMs } from './refresh-coordinator';
import { refreshSession, sessionStore } from './session';
import { useSessionState } from './use-session';

/** Renews the session before its token ends. Draws nothing. */
export function SessionRefresher() {
  const state = useSessionState();
  useEffect(() => {
    if (state.status !== 'signed-in') return;
    const { session } = state;
    // A failure here is not shown: the next request meets it again, with a place to say so.
    const renew = () => void refreshSession(session.accessToken).catch(() => {});
    const renewWhenSeen = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', renewWhenSeen);
      renew();
    };
    const timer = setTimeout(
      () => {
        // A tab nobody looks at keeps no session alive.
        if (document.visibilityState === 'visible') renew();
        else document.addEventListener('visibilitychange', renewWhenSeen);
      },
      refreshDelayMs(session, Date.now(), Math.random()),
    );
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', renewWhenSeen);
    };
  }, [state]);
  return null;
}

/** Finds out who this is, unless a tab has told already. */
export async function restoreSession(): Promise<void> {
  if (sessionStore.getState().status === 'signed-in') return;
  try {
    await refreshSession(null);
  } catch (error) {
    sessionStore.set({ status: 'unreachable', error });
  }
}
