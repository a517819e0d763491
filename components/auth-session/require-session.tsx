'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { ErrorPanel } from '@/components/ui/error-panel';
import { signedOutPath } from './return-to';
import { followOtherTabs } from './session';
import { SessionData } from './session-data';
import { SignInAgain } from './sign-in-again';
import { restoreSession, useSessionState } from './use-session';

/**
 * Renders its children for a signed-in person, and the skeleton until the session is refreshed. Redirects to /login only
 * when the refresh is refused.
 *
 * Forms whose changes were not sent stay open when the server ends the session: the person signs in again in another tab.
 *
 * The children belong to one person: when another person signs in, in any tab, the page is reloaded.
 */
export function RequireSession({
  skeleton,
  returnsHere = false,
  children,
}: {
  skeleton: ReactNode;
  /** Returns to this page after a sign-out, possibly as another person. */
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
    if (state.status !== 'signed-out' || state.kept !== undefined) return;
    router.replace(signedOutPath(state.reason, `${pathname}${window.location.search}`, returnsHere));
  }, [state, router, pathname, returnsHere]);
  useEffect(() => {
    // A full reload removes all data. It opens the home page, since the URL may name data of the previous person.
    if (state.status === 'replaced') window.location.replace(returnsHere ? window.location.href : '/');
  }, [state, returnsHere]);

  if (state.status === 'unreachable') {
    return (
      <main className="flex min-h-dvh items-center justify-center">
        <ErrorPanel what="We couldn’t check your session" error={state.error} onRetry={() => void restoreSession()} />
      </main>
    );
  }
  const kept = state.status === 'signed-out' ? state.kept : undefined;
  const session = state.status === 'signed-in' ? state.session : kept;
  if (session === undefined) return skeleton;
  return (
    <SessionData key={session.user.id}>
      {children}
      {kept === undefined ? null : <SignInAgain email={kept.user.email} />}
    </SessionData>
  );
}
