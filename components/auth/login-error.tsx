'use client';

import { ApiError } from '@/components/auth-session/api-error';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';
import { FocusedNotice } from './focused-notice';
import { TextLink } from './text-link';

/** Whether the password has to be confirmed by a mailed link before it signs in (CONTRACT 2). */
function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'password_unconfirmed';
}

/** One text for a wrong password and an unknown address. */
export function isMismatch(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials';
}

/** Why a sign-in was refused, and the way on. `onReset` is told before the link to a new password is followed. */
export function LoginError({ error, onReset }: { error: unknown; onReset: () => void }) {
  if (error === undefined) return null;
  if (isMismatch(error)) {
    return (
      <Callout tone="danger" role="alert">
        That email and password do not match an account.
      </Callout>
    );
  }
  return (
    <FocusedNotice>
      {isUnconfirmed(error) ? (
        <Callout tone="warning" role="alert">
          <p className="font-medium">This password has to be confirmed first.</p>
          <p className="mt-1">
            We have sent you a mail with a link that confirms it. If you did not set this password, or the mail does not
            come,{' '}
            <TextLink href="/forgot-password" onClick={onReset} className="underline">
              set a new one
            </TextLink>
            .
          </p>
        </Callout>
      ) : (
        <InlineError what="You could not be signed in" error={error} />
      )}
    </FocusedNotice>
  );
}
