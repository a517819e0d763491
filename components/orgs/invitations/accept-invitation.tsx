'use client';

import { useEffect, useState } from 'react';
import { InvalidLink, isInvalidLink } from '@/components/auth/invalid-link';
import { LinkSkeleton } from '@/components/auth/link-skeleton';
import { useLinkPreview } from '@/components/auth/use-link-preview';
import { followOtherTabs } from '@/components/auth-session/session';
import { restoreSession, SessionRefresher } from '@/components/auth-session/session-refresher';
import { useSessionState } from '@/components/auth-session/use-session';
import { ErrorPanel } from '@/components/ui/error-panel';
import type { InvitationPreview } from '@/lib/orgs/schema';
import { InvitationAnswer } from './invitation-answer';
import { InvitationFacts } from './invitation-facts';
import { useInvitationToken } from './use-invitation-token';

/** Shows an invitation and accepts it at a click, never by opening the link: email scanners open links too. */
export function AcceptInvitation() {
  const { token, forget } = useInvitationToken();
  const state = useSessionState();
  const [isRefused, setRefused] = useState(false);
  const preview = useLinkPreview<InvitationPreview>('/auth/accept-invitation/preview', token);
  useEffect(() => {
    const unfollow = followOtherTabs();
    void restoreSession();
    return unfollow;
  }, []);
  useEffect(() => {
    // Another person signed in in another tab: reload for them.
    if (state.status === 'replaced') window.location.reload();
  }, [state.status]);

  if (token === '' || isRefused || isInvalidLink(preview.error)) {
    return (
      <InvalidLink
        title="Invitation"
        explanation="It’s incomplete, already used, revoked, expired, or replaced by a newer email. Ask for a new invitation."
        takesFocus={isRefused}
        action={{ label: 'Go to the dashboard', href: '/' }}
      />
    );
  }
  if (preview.error !== undefined && preview.data === undefined) {
    return <ErrorPanel what="We couldn’t read the invitation" error={preview.error} onRetry={preview.reload} />;
  }
  if (state.status === 'unreachable') {
    return (
      <ErrorPanel what="We couldn’t check your session" error={state.error} onRetry={() => void restoreSession()} />
    );
  }
  const isReady = state.status === 'signed-in' || state.status === 'signed-out';
  if (preview.data === undefined || token === undefined || !isReady)
    return <LinkSkeleton heading="w-56" content="h-24" />;
  return (
    <>
      <SessionRefresher />
      <InvitationFacts invitation={preview.data} />
      <InvitationAnswer
        invitation={preview.data}
        token={token}
        session={state.status === 'signed-in' ? state.session : null}
        onAccepted={forget}
        onRefused={() => {
          forget();
          setRefused(true);
        }}
      />
    </>
  );
}
