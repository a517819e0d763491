'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import type { Subscription } from '@/lib/delivery/schema';
import type { SubscriptionChoice } from './subscription-choices';

/** Loads the first hundred subscriptions of an endpoint, and returns the actions that change them. */
export function useEndpointSubscriptions(projectId: string, endpointId: string) {
  const path = `/projects/${projectId}/subscriptions`;
  const { data, error, mutate } = useSWR<CursorPage<Subscription>>(`${path}?endpointId=${endpointId}&limit=100`);
  return {
    subscriptions: data?.data,
    hasMore: data !== undefined && data.nextCursor !== null,
    error: error as unknown,
    reload: () => void mutate(),
    add: async (eventType: string) => {
      await apiFetch(path, { method: 'POST', body: { endpointId, eventType } });
      await mutate();
    },
    /** Subscribes to a type, enables its subscription, or deletes it. */
    toggle: async ({ eventType, subscription, isChecked }: SubscriptionChoice) => {
      if (subscription === undefined) await apiFetch(path, { method: 'POST', body: { endpointId, eventType } });
      else if (isChecked) await apiFetch(`${path}/${subscription.id}`, { method: 'DELETE' });
      else await apiFetch(`${path}/${subscription.id}`, { method: 'PATCH', body: { enabled: true } });
      await mutate();
    },
  };
}
