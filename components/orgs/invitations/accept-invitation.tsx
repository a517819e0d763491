'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { AuthHeading } from '@/components/auth/auth-heading';
import { InvalidLink, isInvalidLink } from '@/components/auth/invalid-link';
import { LinkSkeleton } from '@/components/auth/link-skeleton';
import { useLinkPreview } from '@/components/auth/use-link-preview';
import { followOtherTabs } from '@/components/auth-session/session';
import { restoreSession, SessionRefresher } from '@/components/auth-session/session-refresher';
import { useSessionState } from '@/components/auth-session/use-session';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import { ErrorPanel } from '@/components/ui/error-panel';
import type { InvitationPreview } from '@/lib/orgs/schema';
import { InvitationAnswer } from './invitation-answer';
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

/** The organization, the role and the invited address. */
function InvitationFacts({ invitation }: { invitation: InvitationPreview }) {
  const { organizationName, role, email } = invitation;
  const { label, description } = ROLE_LABELS[role];
  return (
    <>
      <AuthHeading title={`Join ${organizationName}`}>You’ve been invited to join this organization.</AuthHeading>
      <dl className="mb-5 grid gap-3 rounded-lg border bg-surface p-4 text-sm shadow-raised">
        <Fact label="Organization">{organizationName}</Fact>
        <Fact label="Your role">
          {label}
          <span className="block font-normal text-muted">{description}</span>
        </Fact>
        <Fact label="For">{email}</Fact>
      </dl>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere min-w-0 font-medium">{children}</dd>
    </div>
  );
}
