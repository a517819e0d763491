'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The origin this page came from: what a copied command has to name. Empty on the server. */
export function useBaseUrl(): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => '',
  );
}
