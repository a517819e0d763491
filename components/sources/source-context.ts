'use client';

import { createContext, useContext } from 'react';
import type { Source } from '@/lib/incoming/schema';
import type { SourceSecretState } from './use-source-secret';
import type { SourceActions } from './use-sources';

/** A source whose URL can be shown. */
export type SourceWithUrl = Source & { url: string };

/** What every part of the page of a source needs. */
export interface SourceScope {
  projectId: string;
  source: Source;
  actions: SourceActions;
  secret: SourceSecretState;
  /** Why the source cannot be changed; undefined when it can. */
  disabledReason: string | undefined;
  /** Why its secret can be neither shown nor changed; undefined when it can. */
  secretDisabledReason: string | undefined;
}

export const SourceContext = createContext<SourceScope | null>(null);

/** @throws Error outside the page of a source */
export function useSourceScope(): SourceScope {
  const scope = useContext(SourceContext);
  if (scope === null) throw new Error('useSourceScope needs a SourceContext');
  return scope;
}
