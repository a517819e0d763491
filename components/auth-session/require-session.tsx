'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { SWRConfig } from 'swr';
import { ErrorPanel } from '@/components/ui/error-panel';
import { signedOutPath } from './return-to';
import { followOtherTabs } from './session';
import { restoreSession, SessionRefresher } from './session-refresher';
import { fetchFromApi, shouldRetry } from './swr-fetcher';
import { useSessionState } from './use-session';

/**
 * Draws its children for a signed-in person: skeleton, refresh, draw; to /login only when the refresh is refused.
 *
 * What is below belongs to one person: when another signs in, in any tab, it is taken away and the page loaded anew.
 */
export function RequireSession({
  skeleton,
  returnsHere = false,
  children,
}: {
  skeleton: ReactNode;
  /** Who signs out here comes back here, maybe as another person. */
  returnsHere?: boolean;
  children: ReactNode;
}) {
  const state = useSessionState();
  const router = useRouter();
  const pathname = usePathname();
  useEffect(() => {
    const unfollow = followOtherTabs();
    void restoreSession();
    return unfollow;
  }, []);
  useEffect(() => {
    if (state.status !== 'signed-out') return;
    router.replace(signedOutPath(state.reason, `${pathname}${window.location.search}`, returnsHere));
  }, [state, router, pathname, returnsHere]);
  useEffect(() => {
    // Loaded anew, so that nothing is left; at the start, since the address may name what only the person before may see.
    if (state.status === 'replaced') window.location.replace(returnsHere ? window.location.href : '/');
  }, [state, returnsHere]);

  if (state.status === 'unreachable') {
    return (
      <main className="flex min-h-dvh items-center justify-center">
        <ErrorPanel
          what="Your session could not be checked"
          error={state.error}
          onRetry={() => void restoreSession()}
        />
      </main>
    );
  }
  if (state.status !== 'signed-in') return skeleton;
  return (
    <SWRConfig
      key={state.session.user.id}
      value={{
        provider: () => new Map(),
        fetcher: fetchFromApi,
        shouldRetryOnError: shouldRetry,
        errorRetryCount: 2,
        errorRetryInterval: 2000,
        // Joins what is asked for in one drawing; longer, and a list shows what was deleted a moment ago.
        dedupingInterval: 200,
      }}
    >
      <SessionRefresher />
      {children}
    </SWRConfig>
  );
}
