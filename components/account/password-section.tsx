'use client';

import type { User } from '@/lib/accounts/schema';
import { AccountSection } from './account-section';
import { ChangePasswordForm } from './change-password-form';
import { EmailPasswordLink } from './email-password-link';

/** Changes the password, or adds the first one to an account created through an identity provider. */
export function PasswordSection({ user }: { user: User }) {
  if (user.hasPassword) {
    return (
      <AccountSection title="Password" description="Changing your password signs out all other sessions.">
        <ChangePasswordForm user={user} />
      </AccountSection>
    );
  }
  return (
    <AccountSection title="Password" description="Your account has no password. You sign in through a provider.">
      <div className="grid gap-3">
        <p className="text-sm">
          Add a password as a second sign-in method. To confirm your address, we’ll send a link to{' '}
          <span className="wrap-anywhere font-medium">{user.email}</span>.
        </p>
        <EmailPasswordLink email={user.email} label="Add a password" />
      </div>
    </AccountSection>
  );
}
