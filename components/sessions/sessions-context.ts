'use client';

import { createContext, useContext } from 'react';
import type { Session } from '@/lib/auth/schema';

export interface SessionActions {
  close: (session: Session) => void;
  /** The session that is being closed. */
  closingId: string | null;
}

/** The actions of a row. A context, so that columns can stay at module scope. */
export const SessionActionsContext = createContext<SessionActions>({ close: () => {}, closingId: null });

export function useSessionActions(): SessionActions {
  return useContext(SessionActionsContext);
}
