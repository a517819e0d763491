'use client';

import type { ReactNode } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { Callout } from '@/components/ui/callout';
import { FocusedNotice } from './focused-notice';
import { TextLink } from './text-link';

/** Whether the password must be confirmed by email first; see docs/specification.md#identity-provider. */
function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'password_unconfirmed';
}

/** Whether the password is wrong or the address unknown: the API does not tell which. */
export function isMismatch(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials';
}

/**
 * Returns what the form shows for a refused sign-in; undefined for an error that needs no notice of its own.
 * `onReset` runs before the link to set a new password is followed.
 */
export function loginErrorNotice(error: unknown, onReset: () => void): ReactNode | undefined {
  if (isMismatch(error)) {
    return (
      <Callout tone="danger" role="alert">
        Incorrect email or password.
      </Callout>
    );
  }
  if (!isUnconfirmed(error)) return undefined;
  return (
    <FocusedNotice>
      <Callout tone="warning" role="alert">
        <p className="font-medium">Confirm this password first.</p>
        <p className="mt-1">
          We sent you an email with a link to confirm it. If you didn’t set this password, or the email doesn’t arrive,{' '}
          <TextLink href="/forgot-password" onClick={onReset} className="underline">
            set a new one
          </TextLink>
          .
        </p>
      </Callout>
    </FocusedNotice>
  );
}
