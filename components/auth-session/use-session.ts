'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { refreshDelayMs } from './refresh-coordinator';
import { refreshSession, sessionStore } from './session';
import type { Session, SessionState } from './session-store';

/** Returns the state of the session, also before it is known. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.getState, sessionStore.getServerState);
}

/** Returns the session. Use it below RequireSession only. */
export function useSession(): Session {
  const state = useSessionState();
  if (state.status === 'signed-in') return state.session;
  if (state.status === 'signed-out' && state.kept !== undefined) return state.kept;
  throw new Error('useSession outside RequireSession');
}

/** Refreshes the session before its token expires. Renders nothing. */
export function SessionRefresher() {
  const state = useSessionState();
  useEffect(() => {
    if (state.status !== 'signed-in') return;
    const { session } = state;
    // Ignored: the next request fails too, and its caller can show the error.
    const refresh = () => void refreshSession(session.accessToken).catch(() => {});
    const refreshWhenVisible = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', refreshWhenVisible);
      refresh();
    };
    const timer = setTimeout(
      () => {
        // A hidden tab does not keep the session alive.
        if (document.visibilityState === 'visible') refresh();
        else document.addEventListener('visibilitychange', refreshWhenVisible);
      },
      refreshDelayMs(session, Date.now(), Math.random()),
    );
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', refreshWhenVisible);
    };
  }, [state]);
  return null;
}

/** Loads the session of this browser, unless another tab has shared it. */
export async function restoreSession(): Promise<void> {
  if (sessionStore.getState().status === 'signed-in') return;
  try {
    await refreshSession(null);
  } catch (error) {
    sessionStore.set({ status: 'unreachable', error });
  }
}
