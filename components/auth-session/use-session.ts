'use client';

import { useSyncExternalStore } from 'react';
import { sessionStore } from './session';
import type { Session, SessionState } from './types';

/** Returns the state of the session, also before it is known. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.getState, sessionStore.getServerState);
}

/** Returns the session. Use it below RequireSession only. */
export function useSession(): Session {
  const state = useSessionState();
  if (state.status !== 'signed-in') throw new Error('useSession outside RequireSession');
  return state.session;
}
