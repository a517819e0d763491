'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { SWRConfig } from 'swr';
import { ErrorPanel } from '@/components/ui/error-panel';
import { fetchAnswer, shouldRetry } from './fetcher';
import { leavePath } from './return-to';
import { followTabs } from './session';
import { SessionKeeper, startSession } from './session-keeper';
import { useSessionState } from './use-session';

/**
 * Draws its children for a signed-in person: skeleton, refresh, draw; to /login only when the refresh is refused.
 *
 * What is below belongs to one person: when another signs in, in any tab, it is taken away and the page loaded anew.
 */
export function RequireSession({
  skeleton,
  keepsPlace = false,
  children,
}: {
  skeleton: ReactNode;
  /** Who signs out here comes back here, maybe as another person. */
  keepsPlace?: boolean;
  children: ReactNode;
}) {
  const state = useSessionState();
  const router = useRouter();
  const pathname = usePathname();
  useEffect(() => {
    const unfollow = followTabs();
    void startSession();
    return unfollow;
  }, []);
  useEffect(() => {
    if (state.status !== 'signed-out') return;
    router.replace(leavePath(state.reason, `${pathname}${window.location.search}`, keepsPlace));
  }, [state, router, pathname, keepsPlace]);
  useEffect(() => {
    // Loaded anew, so that nothing is left; at the start, since the address may name what only the person before may see.
    if (state.status === 'replaced') window.location.replace(keepsPlace ? window.location.href : '/');
  }, [state, keepsPlace]);

  if (state.status === 'unreachable') {
    return (
      <main className="flex min-h-dvh items-center justify-center">
        <ErrorPanel what="Your session could not be checked" error={state.error} onRetry={() => void startSession()} />
      </main>
    );
  }
  if (state.status !== 'signed-in') return skeleton;
  return (
    <SWRConfig
      key={state.session.user.id}
      value={{
        provider: () => new Map(),
        fetcher: fetchAnswer,
        shouldRetryOnError: shouldRetry,
        errorRetryCount: 2,
        errorRetryInterval: 2000,
        // Joins what is asked for in one drawing; longer, and a list shows what was deleted a moment ago.
        dedupingInterval: 200,
      }}
    >
      <SessionKeeper />
      {children}
    </SWRConfig>
  );
}
