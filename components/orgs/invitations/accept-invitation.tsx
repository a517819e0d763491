'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { AuthHeading, prefillEmail } from '@/components/auth/auth-form';
import { ConfirmButton } from '@/components/auth/cool-down';
import { InvalidLink, isInvalidLink, LinkSkeleton, useLinkPreview } from '@/components/auth/email-link';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { loginPath } from '@/components/auth-session/return-to';
import { followOtherTabs, leave } from '@/components/auth-session/session';
import type { Session } from '@/components/auth-session/session-store';
import { restoreSession, SessionRefresher, useSessionState } from '@/components/auth-session/use-session';
import { ROLE_LABELS, withArticle } from '@/components/orgs/role-labels';
import { switchOrganization } from '@/components/orgs/use-organization';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { Fact } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import { INVITATION_PATH } from '@/lib/orgs/invitation-path-policy';
import type { AcceptedInvitation, InvitationPreview } from '@/lib/orgs/schema';
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

interface InvitationAnswerProps {
  invitation: InvitationPreview;
  token: string;
  /** Null when nobody is signed in. */
  session: Session | null;
  onAccepted: () => void;
  onRefused: () => void;
}

/** Lets the person accept, or asks for the right account first. */
function InvitationAnswer(props: InvitationAnswerProps) {
  const { invitation, session } = props;
  if (session === null) return <SignInFirst invitation={invitation} />;
  if (session.user.email.toLowerCase() !== invitation.email.toLowerCase()) {
    return <OtherAccount signedInAs={session.user.email} invited={invitation.email} />;
  }
  return <Accept {...props} />;
}

function Accept({ token, onAccepted, onRefused }: InvitationAnswerProps) {
  const router = useRouter();
  const accept = async () => {
    try {
      const { organization } = await apiFetch<AcceptedInvitation>('/auth/accept-invitation', {
        method: 'POST',
        body: { token },
      });
      onAccepted();
      // The person is a member now: if switching fails, the organization is in the switcher.
      await switchOrganization(organization.id).catch(() => undefined);
      toast.success(`You’re now ${withArticle(organization.role)} of ${organization.name}.`);
      router.replace('/');
    } catch (error) {
      if (!isInvalidLink(error)) throw error;
      onRefused();
    }
  };
  return (
    <div className="grid gap-4">
      <ConfirmButton label="Accept invitation" errorTitle="We couldn’t accept the invitation" onConfirm={accept} />
      <p className="text-muted text-sm">To decline, close this page. Nothing happens until you accept.</p>
    </div>
  );
}

function OtherAccount({ signedInAs, invited }: { signedInAs: string; invited: string }) {
  const [pending, setPending] = useState(false);
  const switchAccounts = () => {
    setPending(true);
    void leave().finally(() => setPending(false));
  };
  return (
    <div className="grid gap-4">
      <Callout tone="warning">
        <p>
          You are signed in as <span className="wrap-anywhere font-medium">{signedInAs}</span>. This invitation is for{' '}
          <span className="wrap-anywhere font-medium">{invited}</span> only.
        </p>
      </Callout>
      <Button variant="primary" size="lg" loading={pending} onClick={switchAccounts}>
        Sign out and switch accounts
      </Button>
      <Button asChild size="lg">
        <Link href="/">Cancel</Link>
      </Button>
    </div>
  );
}

function SignInFirst({ invitation: { email, hasAccount } }: { invitation: InvitationPreview }) {
  const keepEmail = () => prefillEmail(email);
  const link = (page: '/login' | '/register', label: string, isMain: boolean) => (
    <Button asChild size="lg" variant={isMain ? 'primary' : 'secondary'}>
      <Link href={loginPath(INVITATION_PATH, page)} onClick={keepEmail}>
        {label}
      </Link>
    </Button>
  );
  return (
    <div className="grid gap-3">
      <p className="text-sm">
        {hasAccount
          ? 'This email address already has an account. Sign in to accept.'
          : 'Create an account with this email address to accept.'}
      </p>
      {hasAccount ? link('/login', 'Sign in', true) : link('/register', 'Create an account', true)}
      {hasAccount ? null : link('/login', 'Sign in', false)}
    </div>
  );
}
