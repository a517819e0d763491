'use client';

import { createContext, useContext } from 'react';
import type { Session } from '@/lib/auth/schema';

export interface SessionActions {
  close: (session: Session) => void;
  /** The session that is being closed. */
  closingId: string | null;
}

/** What a row of the table can ask of the page; columns stay at module scope because of it. */
export const SessionActionsContext = createContext<SessionActions>({ close: () => {}, closingId: null });

export function useSessionActions(): SessionActions {
  return useContext(SessionActionsContext);
}
