'use client';

import type { ReactNode } from 'react';
import useSWR, { SWRConfig } from 'swr';
import { showTimesIn } from '@/components/ui/time-zone';
import type { Me } from '@/lib/auth/schema';
import { shouldRetry } from './api-error';
import { fetchFromApi } from './api-fetch';
import { SessionRefresher, useSession } from './use-session';

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

/** Shows times in the zone of the account. It is known before the first page renders, so no time changes its zone. */
function PreferredZone({ children }: { children: ReactNode }) {
  const { user } = useSession();
  // Without a fetcher it only follows what the pages load: the session is older than a change of the preference.
  const { data } = useSWR<Me>('/auth/me', null);
  showTimesIn((data?.user ?? user).timeZone);
  return children;
}
