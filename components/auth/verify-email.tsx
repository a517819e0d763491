'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import useSWRImmutable from 'swr/immutable';
import { sendRequest } from '@/components/auth-session/request';
import { shouldRetry } from '@/components/auth-session/swr-fetcher';
import { ErrorPanel } from '@/components/ui/error-panel';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { VerifyEmailPreview } from '@/lib/accounts/schema';
import { ConfirmAddress } from './confirm-address';
import { ConfirmPassword } from './confirm-password';
import { InvalidLink, isInvalidLink } from './invalid-link';
import { prefillEmail } from './prefilled-email';
import { useLinkToken } from './use-link-token';

/** Confirms an address or a password at a click, never by opening the link: email scanners open links too. */
export function VerifyEmail() {
  const token = useLinkToken();
  const router = useRouter();
  const [isRefused, setRefused] = useState(token === '');
  const preview = useSWRImmutable(isRefused ? null : ['verify-email/preview', token], () => previewLink(token), {
    shouldRetryOnError: shouldRetry,
    errorRetryCount: 2,
    errorRetryInterval: 2000,
  });
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
        explanation="It is incomplete, already used, expired, or replaced by a newer email. Sign in to request another confirmation email."
        takesFocus={isRefused && token !== ''}
        action={{ label: 'Sign in', href: '/login' }}
      />
    );
  }
  if (preview.data === undefined) {
    if (preview.error === undefined) return <VerifyEmailSkeleton />;
    return <ErrorPanel what="The link could not be read" error={preview.error} onRetry={() => void preview.mutate()} />;
  }
  const { purpose, email } = preview.data;
  if (purpose === 'EMAIL') return <ConfirmAddress email={email} onConfirm={confirm} />;
  const goToSignIn = () => {
    prefillEmail(email);
    router.replace('/login?notice=password-confirmed');
  };
  return <ConfirmPassword email={email} onConfirm={() => confirm(goToSignIn)} />;
}

async function previewLink(token: string): Promise<VerifyEmailPreview> {
  const response = await sendRequest('/auth/verify-email/preview', { method: 'POST', body: { token } });
  return response as VerifyEmailPreview;
}

function VerifyEmailSkeleton() {
  return (
    <div>
      <LoadingLabel />
      <Skeleton className="h-7 w-48" />
      <Skeleton className="mt-6 h-5 w-full" />
      <Skeleton className="mt-4 h-10 w-full" />
    </div>
  );
}
