'use client';

import type { User } from '@/lib/accounts/schema';
import { AccountSection } from './account-section';
import { ChangePasswordForm } from './change-password-form';
import { EmailPasswordLink } from './email-password-link';

/** Changes the password; or, for an account made through a provider, adds the first one. */
export function PasswordSection({ user }: { user: User }) {
  if (user.hasPassword) {
    return (
      <AccountSection title="Password" description="Changing it signs out every other session, and leaves this one.">
        <ChangePasswordForm user={user} />
      </AccountSection>
    );
  }
  return (
    <AccountSection title="Password" description="Your account has none: you sign in through a provider.">
      <div className="grid gap-3">
        <p className="text-sm">
          A password is a second way in; the provider keeps working. To prove that the mailbox is yours, it is set by a
          link that we mail to <span className="wrap-anywhere font-medium">{user.email}</span>.
        </p>
        <EmailPasswordLink email={user.email} label="Add a password" />
      </div>
    </AccountSection>
  );
}
