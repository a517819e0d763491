import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { shouldRetry } from './api-error';
import { PreferredZone } from './preferred-zone';
import { SessionRefresher } from './session-refresher';
import { fetchFromApi } from './swr-fetcher';

/** Keeps the session alive, and caches what its person loads. Give it the person's id as `key`. */
export function SessionData({ children }: { children: ReactNode }) {
  return (
    <SWRConfig
      value={{
        provider: () => new Map(),
        fetcher: fetchFromApi,
        shouldRetryOnError: shouldRetry,
        errorRetryCount: 2,
        errorRetryInterval: 2000,
        // Joins requests of one render. A longer interval would show rows that were just deleted.
        dedupingInterval: 200,
      }}
    >
      <SessionRefresher />
      <PreferredZone>{children}</PreferredZone>
    </SWRConfig>
  );
}
