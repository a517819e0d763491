'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { SWRConfig } from 'swr';
import { shouldRetry } from '@/components/auth-session/api-error';
import type { RequestOptions } from '@/components/auth-session/request';
import type { OpenedPortalSession } from '@/lib/portal/schema';

/** What every part of the portal may know. */
export interface Portal {
  /** The company, as its customers call it. */
  company: string;
  session: OpenedPortalSession;
  canManage: boolean;
  /** Whether the session has ended: what is open is hidden until it continues. */
  isEnded: boolean;
  /** Sends a request to a path below /api/v1/portal. */
  fetch: <T = unknown>(path: string, options?: RequestOptions) => Promise<T>;
}

const Context = createContext<Portal | null>(null);

/** Gives the portal to its parts, and caches what they load. Give it the customer as `key`: the page is of one project. */
export function PortalProvider({ portal, children }: { portal: Portal; children: ReactNode }) {
  return (
    <Context.Provider value={portal}>
      <SWRConfig
        value={{
          provider: () => new Map(),
          fetcher: portal.fetch,
          isPaused: () => portal.isEnded,
          shouldRetryOnError: shouldRetry,
          errorRetryCount: 2,
          errorRetryInterval: 2000,
          dedupingInterval: 200,
        }}
      >
        {children}
      </SWRConfig>
    </Context.Provider>
  );
}

export function usePortal(): Portal {
  const portal = useContext(Context);
  if (portal === null) throw new Error('outside the portal');
  return portal;
}
