'use client';

import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import type { User } from '@/lib/accounts/schema';
import { AccountSection } from './account-section';
import { AccountSkeleton } from './account-skeleton';
import { DeleteAccount } from './delete-account';
import { PasswordSection } from './password-section';
import { ProfileForm } from './profile-form';
import { SignInMethods } from './sign-in-methods';
import { useAccount } from './use-account';

/** One's own account: who one is, the ways in, and the way out. */
export function AccountPage() {
  const account = useAccount();
  return (
    <>
      <PageHeader title="Account" description="What belongs to you in every organization." />
      {account.user !== undefined ? (
        <AccountSections user={account.user} rename={account.rename} />
      ) : account.error ? (
        <ErrorPanel
          what="Your account could not be loaded"
          error={account.error}
          onRetry={() => void account.reload()}
        />
      ) : (
        <AccountSkeleton />
      )}
    </>
  );
}

function AccountSections({ user, rename }: { user: User; rename: (name: string | null) => Promise<void> }) {
  return (
    <div>
      <AccountSection title="Profile" description="Your name is shown to the other members of your organizations.">
        <ProfileForm key={user.id} user={user} rename={rename} />
      </AccountSection>
      <PasswordSection user={user} />
      <AccountSection title="Ways to sign in" description="Each of these opens your account by itself.">
        <SignInMethods user={user} />
      </AccountSection>
      <AccountSection title="Sessions" description="Every browser and command line in which you are signed in.">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm">Do you know all of them? Close those that you do not.</p>
          <Button asChild>
            <Link href="/account/sessions">Show sessions</Link>
          </Button>
        </div>
      </AccountSection>
      <AccountSection tone="danger" title="Delete account" description="For good: nobody can bring it back.">
        <DeleteAccount user={user} />
      </AccountSection>
    </div>
  );
}
