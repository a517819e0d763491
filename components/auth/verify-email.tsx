'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { ErrorPanel } from '@/components/ui/error-panel';
import type { VerifyEmailPreview } from '@/lib/accounts/schema';
import { ConfirmAddress } from './confirm-address';
import { ConfirmPassword } from './confirm-password';
import { InvalidLink, isInvalidLink } from './invalid-link';
import { LinkSkeleton } from './link-skeleton';
import { prefillEmail } from './prefilled-email';
import { useLinkPreview } from './use-link-preview';
import { useLinkToken } from './use-link-token';

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
