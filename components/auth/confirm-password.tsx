'use client';

import { Callout } from '@/components/ui/callout';
import { AuthHeading } from './auth-heading';
import { ConfirmButton } from './confirm-button';
import { prefillEmail } from './prefilled-email';
import { TextLink } from './text-link';

/**
 * Confirms that the owner of the address set the password of the account.
 * See docs/specification.md#identity-provider.
 */
export function ConfirmPassword({ email, onConfirm }: { email: string; onConfirm: () => Promise<void> }) {
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
