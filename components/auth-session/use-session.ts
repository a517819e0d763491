'use client';

import { useSyncExternalStore } from 'react';
import { sessionStore } from './session';
import type { Session, SessionState } from './types';

/** The state of the session, also before anybody is known. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.getState, sessionStore.getServerState);
}

/** The session, below RequireSession only. */
export function useSession(): Session {
  const state = useSessionState();
  if (state.status !== 'signed-in') throw new Error('useSession outside RequireSession');
  return state.session;
}
