'use client';

import { createContext, useContext } from 'react';
import type { ApiKey } from '@/lib/keys/schema';

export interface KeyActions {
  rotate: (key: ApiKey) => void;
  revoke: (key: ApiKey) => void;
  /** Why keys may not be changed; undefined when they may. */
  disabledReason: string | undefined;
  /** A key among the rows that are loaded. */
  find: (keyId: string) => ApiKey | undefined;
  /** Makes the row of a key glow once. */
  highlight: (keyId: string) => void;
}

/** What a row of the table can ask of the page; columns stay at module scope because of it. */
export const KeyActionsContext = createContext<KeyActions>({
  rotate: () => {},
  revoke: () => {},
  disabledReason: undefined,
  find: () => undefined,
  highlight: () => {},
});

export function useKeyActions(): KeyActions {
  return useContext(KeyActionsContext);
}
