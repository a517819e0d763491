'use client';

import { createContext, useContext } from 'react';
import type { UserRecord } from '@/lib/admin/schema';

export type UserAction = 'unlock' | 'close-sessions';

/** Lets a row ask for confirmation of an action. */
export const RequestUserActionContext = createContext<((user: UserRecord, action: UserAction) => void) | null>(null);

export function useRequestUserAction() {
  const ask = useContext(RequestUserActionContext);
  if (ask === null) throw new Error('useRequestUserAction outside UsersPanel');
  return ask;
}
