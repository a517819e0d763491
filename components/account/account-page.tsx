'use client';

import { useState } from 'react';
import { useIsMailSent } from '@/components/auth/mail-sent';
import { useAsyncAction } from '@/components/form/use-async-action';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { useNow } from '@/components/ui/clock';
import { Dialog } from '@/components/ui/dialog';
import { ErrorPanel } from '@/components/ui/error-panel';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { Select } from '@/components/ui/select';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import type { User } from '@/lib/accounts/schema';
import { AccountSection } from './account-section';
import { DeleteAccountForm } from './delete-account-form';
import { ChangePasswordForm, EmailPasswordLink, ProfileForm } from './profile-form';
import { SignInMethods } from './sign-in-methods';
import { useAccount } from './use-account';

const ZONES = [
  { value: 'LOCAL', label: 'Local time' },
  { value: 'UTC', label: 'UTC' },
];

const SECTIONS = ['h-44', 'h-18', 'h-52', 'h-28', 'h-16'];

/** The person's own account: profile, password, sign-in methods, sessions, deletion. */
export function AccountPage() {
  const account = useAccount();
  return (
    <>
      <PageHeader title="Account" description="Your profile and sign-in methods, across all organizations." />
      {account.user !== undefined ? (
        <AccountSections {...account} user={account.user} />
      ) : account.error ? (
        <ErrorPanel what="We couldn’t load your account" error={account.error} onRetry={() => void account.reload()} />
      ) : (
        <AccountSkeleton />
      )}
    </>
  );
}

type SectionsProps = Pick<ReturnType<typeof useAccount>, 'rename' | 'chooseTimeZone'> & { user: User };

function AccountSections({ user, rename, chooseTimeZone }: SectionsProps) {
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

/** The loading state of the account page. */
function AccountSkeleton() {
  return (
    <>
      <LoadingLabel />
      {SECTIONS.map((height) => (
        <div
          key={height}
          className="grid gap-x-10 gap-y-3 border-t py-6 first-of-type:border-t-0 first-of-type:pt-1 lg:grid-cols-[17rem_minmax(0,1fr)]"
        >
          <div>
            <Skeleton className="w-24" />
            <Skeleton className="mt-2 w-48" />
          </div>
          <Skeleton className={`max-w-2xl rounded-lg ${height}`} />
        </div>
      ))}
    </>
  );
}

/** The button that deletes the account, and its dialog. */
function DeleteAccount({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <ExplainedAction text="Before you confirm, we’ll show which organizations will be deleted and what blocks the deletion.">
      <DeleteButton label="Delete account" onClick={() => setOpen(true)} />
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Delete your account?"
        description="We erase your personal data and close all your sessions immediately. You won’t be able to sign in again."
      >
        <DeleteAccountForm user={user} onCancel={() => setOpen(false)} />
      </Dialog>
    </ExplainedAction>
  );
}

/** Changes the password, or adds the first one to an account created through an identity provider. */
function PasswordSection({ user }: { user: User }) {
  const isMailSent = useIsMailSent();
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
          Add a password as a second sign-in method. To confirm your address, we’ll{' '}
          {isMailSent ? 'send a link to' : 'make a link for'}{' '}
          <span className="wrap-anywhere font-medium">{user.email}</span>.
        </p>
        <EmailPasswordLink email={user.email} label="Add a password" />
      </div>
    </AccountSection>
  );
}

/** Chooses whether the dashboard shows local time or UTC, in every browser of the person. */
function TimeZoneForm({ user, choose }: { user: User; choose: (timeZone: User['timeZone']) => Promise<void> }) {
  const { error, run } = useAsyncAction();
  const now = useNow(1000);
  const change = (value: string) =>
    void run(async () => {
      await choose(value === 'UTC' ? 'UTC' : 'LOCAL');
      toast.success('Time zone saved.');
    });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Select aria-label="Time zone" value={user.timeZone} onValueChange={change} options={ZONES} />
        <span className="text-muted text-sm tabular-nums">Now: {formatAbsolute(now)}</span>
      </div>
      <InlineError what="The time zone could not be saved" error={error} />
    </div>
  );
}
