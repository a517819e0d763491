'use client';

import { KeyRound, LogIn, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { providerPath } from '@/components/auth/auth-form';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import { RelativeTime } from '@/components/ui/relative-time';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { Identity, User } from '@/lib/accounts/schema';
import type { SignInProvider } from '@/lib/idp/schema';
import { useIdentities, useProviders } from './use-account';

/** The sign-in methods of the account: its password, linked providers, and providers that can be linked. */
export function SignInMethods({ user }: { user: User }) {
  const providers = useProviders();
  const identities = useIdentities();
  const error: unknown = providers.error ?? identities.error;
  const linked = identities.data?.data;
  const offered = providers.data?.data;
  const loading = linked === undefined || offered === undefined;
  return (
    <div className="grid gap-3">
      <ul className="grid gap-3">
        <Method icon={KeyRound} name="Password" on={user.hasPassword} state={user.hasPassword ? 'Set' : 'Not set'}>
          {user.hasPassword
            ? 'Sign in with your email address and password.'
            : 'Add a password above to sign in without a provider.'}
        </Method>
        {linked?.map((identity) => (
          <Linked
            key={identity.id}
            identity={identity}
            offered={offered?.some(({ name }) => name === identity.provider) ?? true}
          />
        ))}
        {loading
          ? null
          : offered
              .filter(({ name }) => !linked.some(({ provider }) => provider === name))
              .map((provider) => <Unlinked key={provider.id} provider={provider} email={user.email} />)}
      </ul>
      {loading && !error ? (
        <div>
          <LoadingLabel />
          <Skeleton className="w-40" />
          <Skeleton className="mt-1.5 w-64 max-w-full" />
        </div>
      ) : null}
      <InlineError what="We couldn’t load the providers" error={error} />
      {error ? (
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() => void Promise.all([providers.mutate(), identities.mutate()])}
        >
          Try again
        </Button>
      ) : null}
    </div>
  );
}

function Linked({ identity, offered }: { identity: Identity; offered: boolean }) {
  return (
    <Method icon={LogIn} name={identity.provider} on={offered} state={offered ? 'Linked' : 'Unavailable'}>
      Linked <RelativeTime at={identity.createdAt} />.
      {offered ? null : ' This deployment doesn’t offer the provider, so you can’t sign in with it.'}
    </Method>
  );
}

/** A plain link: the provider is another site, and its answer links the account by email address. */
function Unlinked({ provider, email }: { provider: SignInProvider; email: string }) {
  return (
    <Method icon={LogIn} name={provider.name} on={false} state="Not linked">
      <p>
        Sign in with the {provider.name} account for <span className="wrap-anywhere">{email}</span> to link it. A
        different address creates a separate account.
      </p>
      <Button asChild size="sm" className="mt-2">
        <a href={providerPath(provider.id, '/account')}>Continue with {provider.name}</a>
      </Button>
    </Method>
  );
}

function Method({
  icon: Icon,
  name,
  on,
  state,
  children,
}: {
  icon: LucideIcon;
  name: string;
  on: boolean;
  state: string;
  children: ReactNode;
}) {
  return (
    <li className="flex items-start gap-3 border-t pt-3 first:border-t-0 first:pt-0">
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <span className="font-medium text-sm">{name}</span>
          <Badge tone={on ? 'success' : 'neutral'}>{state}</Badge>
        </p>
        <div className="text-muted text-sm">{children}</div>
      </div>
    </li>
  );
}
