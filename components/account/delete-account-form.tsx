'use client';

import { Ban, LogOut, type LucideIcon, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch, fetchFromApi } from '@/components/auth-session/api-fetch';
import { clearSession } from '@/components/auth-session/session';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { cn } from '@/components/ui/cn';
import { DialogActions } from '@/components/ui/dialog';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { Link } from '@/components/ui/link';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { User } from '@/lib/accounts/schema';
import type { ErasurePreview } from '@/lib/lifecycle/schema';

/** Shows what deleting the account removes, then asks for the email address as confirmation. */
export function DeleteAccountForm({ user: { email }, onCancel }: { user: User; onCancel: () => void }) {
  // A new cache key each time the dialog opens: the person must not confirm an outdated preview.
  const [openedAtMs] = useState(() => Date.now());
  const preview = useSWR(['/auth/me/erasure', openedAtMs], ([path]) => fetchFromApi<ErasurePreview>(path));
  const [typed, setTyped] = useState('');
  const { pending, error, run } = useAsyncAction();
  const plan = preview.data;
  if (plan === undefined && preview.error) {
    return (
      <ErrorPanel
        what="We couldn’t load what will be deleted"
        error={preview.error}
        onRetry={() => void preview.mutate()}
      />
    );
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
  const isBlocked = plan.blocks.length > 0;
  const isTyped = typed.trim().toLowerCase() === email.toLowerCase();
  const unconfirmed = isTyped ? undefined : 'Type your email address first';
  const reason = isBlocked ? 'Transfer ownership of the organizations above first' : unconfirmed;
  const erase = async () => {
    try {
      await apiFetch('/auth/me', { method: 'DELETE' });
      clearSession('account-deleted');
    } catch (thrown) {
      // Memberships may have changed since the preview: show what blocks the deletion now.
      if (isLastOwner(thrown)) await preview.mutate();
      throw thrown;
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending && reason === undefined) void run(erase);
  };
  return (
    <>
      <ErasurePrecheck plan={plan} />
      <form method="post" noValidate onSubmit={submit} className="mt-5 grid gap-4">
        {isBlocked ? null : (
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
    </>
  );
}

function isLastOwner(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'last_owner';
}

/** Groups organizations by what happens to them; those that block the deletion come first. */
function ErasurePrecheck({ plan }: { plan: ErasurePreview }) {
  const { blocks, deletes, leaves } = plan;
  if (blocks.length + deletes.length + leaves.length === 0) {
    return <p className="text-sm">You aren’t in any organizations. Only your account is deleted.</p>;
  }
  return (
    <div className="grid gap-2.5">
      <Group icon={Ban} tone="danger" title="Blocks deletion" organizations={blocks}>
        {({ id, memberCount }) => (
          <>
            {memberCount} {memberCount === 1 ? 'member' : 'members'}. You’re the last owner:{' '}
            <Link href={`/orgs/${id}/members`} className="font-medium text-accent-text underline underline-offset-4">
              transfer ownership
            </Link>{' '}
            first.
          </>
        )}
      </Group>
      <Group icon={Trash2} tone="danger" title="Deleted with you" organizations={deletes}>
        {() => 'You’re the only member. Its projects, API keys, events and deliveries are deleted too.'}
      </Group>
      <Group icon={LogOut} tone="neutral" title="You’ll leave" organizations={leaves}>
        {() => 'You’re removed. The organization is kept.'}
      </Group>
    </div>
  );
}

function Group<Organization extends ErasurePreview['leaves'][number]>({
  icon: Icon,
  tone,
  title,
  organizations,
  children,
}: {
  icon: LucideIcon;
  tone: 'danger' | 'neutral';
  title: string;
  organizations: Organization[];
  children: (organization: Organization) => ReactNode;
}) {
  const id = useId();
  if (organizations.length === 0) return null;
  return (
    <section aria-labelledby={id} className="rounded-lg border p-3">
      <h3
        id={id}
        className={cn(
          'flex items-center gap-2 font-medium text-sm',
          tone === 'danger' ? 'text-danger-text' : 'text-muted',
        )}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {title}
      </h3>
      <ul className="mt-1.5 grid gap-1.5 pl-6">
        {organizations.map((organization) => (
          <li key={organization.id} className="text-sm">
            <span className="wrap-anywhere font-medium">{organization.name}</span>
            <span className="block text-muted">{children(organization)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
