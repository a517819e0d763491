'use client';

import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { ApiError } from '@/components/session/api-error';
import { sendRequest } from '@/components/session/request';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';

/** Confirms an address by the link of a mail: at a click, since mail scanners open links too. */
export function VerifyEmail() {
  const token = useSearchParams().get('token') ?? '';
  const [state, setState] = useState<'asked' | 'pending' | 'done'>('asked');
  const [error, setError] = useState<unknown>(undefined);
  const confirm = async () => {
    setState('pending');
    setError(undefined);
    try {
      await sendRequest('/auth/verify-email', { method: 'POST', body: { token } });
      setState('done');
    } catch (thrown) {
      setError(thrown);
      setState('asked');
    }
  };
  const spent = token === '' || (error instanceof ApiError && error.status === 400);
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">Confirm your address</h1>
      <div className="mt-6 grid gap-4">
        {state === 'done' ? (
          <>
            <Callout tone="success" role="status">
              Your address is confirmed.
            </Callout>
            <Button asChild variant="primary" size="lg">
              <Link href="/">Go on</Link>
            </Button>
          </>
        ) : (
          <>
            {spent ? (
              <Callout tone="danger" role="alert">
                This link is incomplete, used or older than a day. Sign in and ask for a new one in the account menu.
              </Callout>
            ) : (
              <>
                <p className="text-muted text-sm">You were sent a link to make sure that the address is yours.</p>
                <InlineError what="The address could not be confirmed" error={error} />
              </>
            )}
            {spent ? (
              <Button asChild size="lg">
                <Link href="/">Go to the start</Link>
              </Button>
            ) : (
              <Button variant="primary" size="lg" loading={state === 'pending'} onClick={() => void confirm()}>
                Confirm
              </Button>
            )}
          </>
        )}
      </div>
    </>
  );
}
