'use client';

import { Button } from '@/components/ui/button';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import type { User } from '@/lib/accounts/schema';
import { AccountSection } from './account-section';
import { AccountSkeleton } from './account-skeleton';
import { DeleteAccount } from './delete-account';
import { PasswordSection } from './password-section';
import { ProfileForm } from './profile-form';
import { SignInMethods } from './sign-in-methods';
import { TimeZoneForm } from './time-zone-form';
import { useAccount } from './use-account';

/** The person's own account: profile, password, sign-in methods, sessions, deletion. */
export function AccountPage() {
  const account = useAccount();
  return (
    <>
      <PageHeader title="Account" description="Your profile and sign-in methods, across all organizations." />
      {account.user !== undefined ? (
        <AccountSections user={account.user} rename={account.rename} chooseTimeZone={account.chooseTimeZone} />
      ) : account.error ? (
        <ErrorPanel what="We couldn’t load your account" error={account.error} onRetry={() => void account.reload()} />
      ) : (
        <AccountSkeleton />
      )}
    </>
  );
}

function AccountSections({
  user,
  rename,
  chooseTimeZone,
}: {
  user: User;
  rename: (name: string | null) => Promise<void>;
  chooseTimeZone: (timeZone: User['timeZone']) => Promise<void>;
}) {
  return (
    <div>
      <AccountSection title="Profile" description="Other members of your organizations see your name.">
        <ProfileForm key={user.id} user={user} rename={rename} />
      </AccountSection>
      <AccountSection title="Time zone" description="How times are shown in the dashboard, in every browser you use.">
        <TimeZoneForm user={user} choose={chooseTimeZone} />
      </AccountSection>
      <PasswordSection user={user} />
      <AccountSection title="Sign-in methods" description="You can sign in with any of these.">
        <SignInMethods user={user} />
      </AccountSection>
      <AccountSection title="Sessions" description="Browsers and CLIs that are signed in.">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm">Close any session you don’t recognize.</p>
          <Button asChild>
            <Link href="/account/sessions">Show sessions</Link>
          </Button>
        </div>
      </AccountSection>
      <AccountSection tone="danger" title="Delete account" description="This can’t be undone.">
        <DeleteAccount user={user} />
      </AccountSection>
    </div>
  );
}
