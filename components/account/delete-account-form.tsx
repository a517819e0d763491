'use client';

import { type FormEvent, useState } from 'react';
import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { clearSession } from '@/components/auth-session/session';
import { fetchFromApi } from '@/components/auth-session/swr-fetcher';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { DialogActions } from '@/components/ui/dialog';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { User } from '@/lib/accounts/schema';
import type { ErasurePreview } from '@/lib/lifecycle/schema';
import { ErasurePrecheck } from './erasure-precheck';

/** Shows what deleting the account removes, then asks for the email address as confirmation. */
export function DeleteAccountForm({ user, onCancel }: { user: User; onCancel: () => void }) {
  // A new cache key each time the dialog opens: the person must not confirm an outdated preview.
  const [openedAtMs] = useState(() => Date.now());
  const {
    data: plan,
    error,
    mutate,
  } = useSWR(['/auth/me/erasure', openedAtMs], ([path]) => fetchFromApi<ErasurePreview>(path));
  if (plan === undefined && error) {
    return <ErrorPanel what="We couldn’t load what will be deleted" error={error} onRetry={() => void mutate()} />;
  }
  if (plan === undefined) {
    return (
      <div className="grid gap-3">
        <LoadingLabel>Loading what will be deleted</LoadingLabel>
        <Skeleton className="w-40" />
        <Skeleton className="h-16 w-full rounded-lg" />
        <Skeleton className="h-9 w-full" />
      </div>
    );
  }
  return (
    <>
      <ErasurePrecheck plan={plan} />
      <Confirmation email={user.email} blocked={plan.blocks.length > 0} recheck={mutate} onCancel={onCancel} />
    </>
  );
}

function Confirmation({
  email,
  blocked,
  recheck,
  onCancel,
}: {
  email: string;
  blocked: boolean;
  recheck: () => Promise<unknown>;
  onCancel: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const confirmed = typed.trim().toLowerCase() === email.toLowerCase();
  const reason = blocked
    ? 'Transfer ownership of the organizations above first'
    : confirmed
      ? undefined
      : 'Type your email address first';
  const erase = async (event: FormEvent) => {
    event.preventDefault();
    if (pending || reason !== undefined) return;
    setPending(true);
    setError(undefined);
    try {
      await apiFetch('/auth/me', { method: 'DELETE' });
      clearSession('account-deleted');
    } catch (thrown) {
      setError(thrown);
      // Memberships may have changed since the preview: show what blocks the deletion now.
      if (isLastOwner(thrown)) await recheck();
      setPending(false);
    }
  };
  return (
    <form method="post" noValidate onSubmit={(event) => void erase(event)} className="mt-5 grid gap-4">
      {blocked ? null : (
        <Field
          label={
            <>
              Type <span className="wrap-anywhere font-mono text-xs">{email}</span> to confirm
            </>
          }
        >
          {(control) => (
            <Input
              {...control}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      {isLastOwner(error) ? (
        <Callout tone="danger" role="alert">
          Nothing was deleted. You are now the last owner of an organization with other members.
        </Callout>
      ) : (
        <InlineError what="We couldn’t delete the account" error={error} />
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" loading={pending} disabledReason={reason}>
          Delete my account
        </Button>
      </DialogActions>
    </form>
  );
}

function isLastOwner(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'last_owner';
}
