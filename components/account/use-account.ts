'use client';

import { useEffect } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useMe } from '@/components/projects/use-projects';
import { showTimesIn } from '@/components/ui/time-zone';
import type { Identity, User } from '@/lib/accounts/schema';
import type { Me } from '@/lib/auth/schema';
import type { SignInProvider } from '@/lib/idp/schema';

/**
 * Returns the signed-in person, and reloads them when the tab becomes visible: links that confirm an address or set a
 * password open in other tabs.
 */
export function useAccount() {
  const { data, error, mutate } = useMe();
  useEffect(() => {
    const reload = () => {
      if (document.visibilityState === 'visible') void mutate();
    };
    reload();
    document.addEventListener('visibilitychange', reload);
    return () => document.removeEventListener('visibilitychange', reload);
  }, [mutate]);
  return {
    user: data?.user,
    error,
    reload: () => mutate(),
    chooseTimeZone: async (timeZone: User['timeZone']) => {
      const me = await apiFetch<Me>('/auth/me', { method: 'PATCH', body: { timeZone } });
      showTimesIn(me.user.timeZone);
      await mutate(me, { revalidate: false });
    },
    rename: async (name: string | null) => {
      await mutate(await apiFetch<Me>('/auth/me', { method: 'PATCH', body: { name } }), { revalidate: false });
    },
  };
}

/** Returns the identity providers of the deployment, which change only with its configuration. */
export function useProviders() {
  return useSWR<{ data: SignInProvider[] }>('/auth/providers', { dedupingInterval: 300_000, revalidateOnFocus: false });
}

/** Returns the identity providers that are linked to this account. */
export function useIdentities() {
  return useSWR<{ data: Identity[] }>('/auth/identities');
}
