'use client';

import { ApiError } from '@/components/auth-session/api-error';
import { loginPath } from '@/components/auth-session/return-to';
import { Callout } from '@/components/ui/callout';
import { TextLink } from './text-link';

/** Whether a registration failed because the address has an account. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'email_taken';
}

/** Offers to sign in or to set a new password. `onLeave` runs before either link is followed. */
export function EmailTaken({ returnTo, onLeave }: { returnTo: string; onLeave: () => void }) {
  return (
    <Callout tone="accent" role="alert">
      Is it yours?{' '}
      <TextLink href={loginPath(returnTo)} onClick={onLeave} className="underline">
        Sign in
      </TextLink>{' '}
      or{' '}
      <TextLink href="/forgot-password" onClick={onLeave} className="underline">
        set a new password
      </TextLink>
      .
    </Callout>
  );
}
