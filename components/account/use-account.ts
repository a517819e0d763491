'use client';

import { useEffect } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useMe } from '@/components/projects/use-projects';
import type { Identity } from '@/lib/accounts/schema';
import type { Me } from '@/lib/auth/schema';
import type { SignInProvider } from '@/lib/idp/schema';

/**
 * The signed-in person, read anew whenever this page is looked at again: the links that confirm an address or set a
 * password open in tabs of their own.
 */
export function useAccount() {
  const { data, error, mutate } = useMe();
  useEffect(() => {
    const renew = () => {
      if (document.visibilityState === 'visible') void mutate();
    };
    renew();
    document.addEventListener('visibilitychange', renew);
    return () => document.removeEventListener('visibilitychange', renew);
  }, [mutate]);
  return {
    user: data?.user,
    error,
    reload: () => mutate(),
    rename: async (name: string | null) => {
      await mutate(await apiFetch<Me>('/auth/me', { method: 'PATCH', body: { name } }), { revalidate: false });
    },
  };
}

/** The providers on offer; they change with the deployment only. */
export function useProviders() {
  return useSWR<{ data: SignInProvider[] }>('/auth/providers', { dedupingInterval: 300_000, revalidateOnFocus: false });
}

/** The providers that this person can sign in through already. */
export function useIdentities() {
  return useSWR<{ data: Identity[] }>('/auth/identities');
}
