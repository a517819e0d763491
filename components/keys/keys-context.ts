'use client';

import { createContext, useContext } from 'react';
import type { ApiKey } from '@/lib/keys/schema';

export interface KeyActions {
  rotate: (key: ApiKey) => void;
  revoke: (key: ApiKey) => void;
  /** Why keys cannot be changed; undefined when they can. */
  disabledReason: string | undefined;
  /** Finds a key in the loaded rows. */
  find: (keyId: string) => ApiKey | undefined;
  /** Highlights the row of a key once. */
  highlight: (keyId: string) => void;
}

/** The actions of a row. A context, so that columns can stay at module scope. */
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
