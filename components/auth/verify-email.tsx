'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link, TextLink } from '@/components/ui/link';
import type { VerifyEmailPreview } from '@/lib/accounts/schema';
import { AuthHeading, prefillEmail } from './auth-form';
import { ConfirmButton, FocusedNotice } from './cool-down';
import { InvalidLink, isInvalidLink, LinkSkeleton, useLinkPreview, useLinkToken } from './email-link';

/** Confirms an address or a password at a click, never by opening the link: email scanners open links too. */
export function VerifyEmail() {
  const token = useLinkToken();
  const router = useRouter();
  const [isRefused, setRefused] = useState(token === '');
  const preview = useLinkPreview<VerifyEmailPreview>('/auth/verify-email/preview', isRefused ? undefined : token);
  const confirm = async (onDone: () => void) => {
    try {
      await sendRequest('/auth/verify-email', { method: 'POST', body: { token } });
      onDone();
    } catch (error) {
      if (!isInvalidLink(error)) throw error;
      setRefused(true);
    }
  };
  if (isRefused || isInvalidLink(preview.error)) {
    return (
      <InvalidLink
        title="Confirm"
        explanation="It’s incomplete, already used, expired, or replaced by a newer email. Sign in to request another confirmation email."
        takesFocus={isRefused && token !== ''}
        action={{ label: 'Sign in', href: '/login' }}
      />
    );
  }
  if (preview.data === undefined) {
    if (preview.error === undefined) return <LinkSkeleton heading="w-48" content="h-5" />;
    return <ErrorPanel what="We couldn’t read the link" error={preview.error} onRetry={preview.reload} />;
  }
  const { purpose, email } = preview.data;
  if (purpose === 'EMAIL') return <ConfirmAddress email={email} onConfirm={confirm} />;
  const goToSignIn = () => {
    prefillEmail(email);
    router.replace('/login?notice=password-confirmed');
  };
  return <ConfirmPassword email={email} onConfirm={() => confirm(goToSignIn)} />;
}

/**
 * Confirms that the owner of the address set the password of the account.
 * See docs/specification.md#identity-provider.
 */
function ConfirmPassword({ email, onConfirm }: { email: string; onConfirm: () => Promise<void> }) {
  return (
    <>
      <AuthHeading title="Confirm your password" />
      <div className="grid gap-4">
        <p>
          Confirm that you set the password for <span className="wrap-anywhere font-medium">{email}</span>. You can then
          sign in with it.
        </p>
        <Callout tone="warning">
          <p>
            Didn’t set it? Someone else did, and could use it to sign in. Don’t confirm it.{' '}
            <TextLink href="/forgot-password" onClick={() => prefillEmail(email)} className="underline">
              Set a new one{' '}
            </TextLink>{' '}
            instead.
          </p>
        </Callout>
        <ConfirmButton label="Confirm password" errorTitle="We couldn’t confirm your password" onConfirm={onConfirm} />
      </div>
    </>
  );
}

/** Confirms an email address at a click. */
function ConfirmAddress({ email, onConfirm }: { email: string; onConfirm: (onDone: () => void) => Promise<void> }) {
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <>
        <AuthHeading title="Confirm your email address" />
        <div className="grid gap-4">
          <FocusedNotice>
            <Callout tone="success" role="status">
              <span className="wrap-anywhere font-medium">{email}</span> is confirmed.
            </Callout>
          </FocusedNotice>
          <Button asChild variant="primary" size="lg">
            <Link href="/">Continue</Link>
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <AuthHeading title="Confirm your email address" />
      <div className="grid gap-4">
        <p>
          Confirm that <span className="wrap-anywhere font-medium">{email}</span> is your address.
        </p>
        <ConfirmButton
          label="Confirm email address"
          errorTitle="We couldn’t confirm your email address"
          onConfirm={() => onConfirm(() => setDone(true))}
        />
        <p className="text-muted text-sm">
          Didn’t sign up? Close this page. Nothing is confirmed until you click the button.
        </p>
      </div>
    </>
  );
}
