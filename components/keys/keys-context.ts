'use client';

import { createContext, useContext } from 'react';
import type { ApiKey } from '@/lib/keys/schema';

export interface KeyActions {
  revoke: (key: ApiKey) => void;
  /** Why keys may not be changed; undefined when they may. */
  refusal: string | undefined;
}

/** What a row of the table can ask of the page; columns stay at module scope because of it. */
export const KeyActionsContext = createContext<KeyActions>({ revoke: () => {}, refusal: undefined });

export function useKeyActions(): KeyActions {
  return useContext(KeyActionsContext);
}
