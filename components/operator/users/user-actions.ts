'use client';

import { createContext, useContext } from 'react';
import type { UserRecord } from '@/lib/admin/schema';

export type UserAction = 'unlock' | 'close-sessions';

/** What a row of the table can ask of the panel: the question before an action. */
export const AskAboutUserContext = createContext<((user: UserRecord, action: UserAction) => void) | null>(null);

export function useAskAboutUser() {
  const ask = useContext(AskAboutUserContext);
  if (ask === null) throw new Error('useAskAboutUser outside UsersPanel');
  return ask;
}
