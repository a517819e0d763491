'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ConfirmButton } from '@/components/auth/confirm-button';
import { isInvalidLink } from '@/components/auth/invalid-link';
import { prefillEmail } from '@/components/auth/prefilled-email';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { loginPath } from '@/components/auth-session/return-to';
import { signOut } from '@/components/auth-session/session';
import type { Session } from '@/components/auth-session/types';
import { withArticle } from '@/components/orgs/role-labels';
import { switchOrganization } from '@/components/orgs/use-switch-organization';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Link } from '@/components/ui/link';
import { toast } from '@/components/ui/toast';
import { INVITATION_PATH } from '@/lib/orgs/invitation-path-policy';
import type { AcceptedInvitation, InvitationPreview } from '@/lib/orgs/schema';

export interface InvitationAnswerProps {
  invitation: InvitationPreview;
  token: string;
  /** Null when nobody is signed in. */
  session: Session | null;
  onAccepted: () => void;
  onRefused: () => void;
}

/** Lets the person accept, or asks for the right account first. */
export function InvitationAnswer(props: InvitationAnswerProps) {
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
  const leave = () => {
    setPending(true);
    void signOut()
      .catch(() => toast.error('You’re signed out here, but the server didn’t confirm that the session is closed.'))
      .finally(() => setPending(false));
  };
  return (
    <div className="grid gap-4">
      <Callout tone="warning">
        <p>
          You are signed in as <span className="wrap-anywhere font-medium">{signedInAs}</span>. This invitation is for{' '}
          <span className="wrap-anywhere font-medium">{invited}</span> only.
        </p>
      </Callout>
      <Button variant="primary" size="lg" loading={pending} onClick={leave}>
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
