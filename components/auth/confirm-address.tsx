'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Link } from '@/components/ui/link';
import { AuthHeading } from './auth-heading';
import { ConfirmButton } from './confirm-button';
import { FocusedNotice } from './focused-notice';

/** Confirms an email address at a click. */
export function ConfirmAddress({
  email,
  onConfirm,
}: {
  email: string;
  onConfirm: (onDone: () => void) => Promise<void>;
}) {
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
