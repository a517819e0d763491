'use client';

import { Callout } from '@/components/ui/callout';
import { AuthHeading } from './auth-heading';
import { ConfirmButton } from './confirm-button';
import { prefillEmail } from './prefilled-email';
import { TextLink } from './text-link';

/** Confirming that the password of an account was set by the owner of its address (CONTRACT 2, identity provider). */
export function ConfirmPassword({ email, onConfirm }: { email: string; onConfirm: () => Promise<void> }) {
  return (
    <>
      <AuthHeading title="Confirm your password" />
      <div className="grid gap-4">
        <p>
          Confirm that the password of <span className="wrap-anywhere font-medium">{email}</span> was set by you. From
          then on it signs in to the account.
        </p>
        <Callout tone="warning">
          <p>
            You did not set it? Then somebody else did, and would get in with it. Don’t confirm:{' '}
            <TextLink href="/forgot-password" onClick={() => prefillEmail(email)} className="underline">
              set a new one instead
            </TextLink>
            .
          </p>
        </Callout>
        <ConfirmButton
          label="I set it: confirm"
          errorTitle="The password could not be confirmed"
          onConfirm={onConfirm}
        />
      </div>
    </>
  );
}
