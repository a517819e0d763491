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
          Confirm that you set the password of <span className="wrap-anywhere font-medium">{email}</span>. You can sign
          in with it afterwards.
        </p>
        <Callout tone="warning">
          <p>
            Did not set it? Someone else did and could sign in with it. Do not confirm it;{' '}
            <TextLink href="/forgot-password" onClick={() => prefillEmail(email)} className="underline">
              set a new one instead
            </TextLink>
            .
          </p>
        </Callout>
        <ConfirmButton label="Confirm password" errorTitle="We couldn’t confirm the password" onConfirm={onConfirm} />
      </div>
    </>
  );
}
