'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Returns the origin of this page, for commands to copy. Empty on the server. */
export function useBaseUrl(): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => '',
  );
}
