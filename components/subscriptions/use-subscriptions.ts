'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { usePages } from '@/components/data-table/use-pages';
import type { Subscription } from '@/lib/delivery/schema';

function subscriptionsPath(projectId: string): string {
  return `/projects/${projectId}/subscriptions`;
}

export function createSubscription(
  projectId: string,
  body: { endpointId: string; eventType: string; enabled?: boolean },
): Promise<Subscription> {
  return apiFetch<Subscription>(subscriptionsPath(projectId), { method: 'POST', body });
}

/** Loads the subscriptions of a project and returns their actions. */
export function useSubscriptions(projectId: string) {
  const pages = usePages<Subscription>(subscriptionsPath(projectId), {}, { limit: 100 });
  const send = async (subscriptionId: string, options: { method: 'PATCH' | 'DELETE'; body?: unknown }) => {
    await apiFetch(`${subscriptionsPath(projectId)}/${subscriptionId}`, options);
    await pages.reload();
  };
  return {
    ...pages,
    create: async (body: { endpointId: string; eventType: string }) => {
      await createSubscription(projectId, body);
      await pages.reload();
    },
    update: (subscriptionId: string, body: { eventType?: string; enabled?: boolean }) =>
      send(subscriptionId, { method: 'PATCH', body }),
    remove: (subscriptionId: string) => send(subscriptionId, { method: 'DELETE' }),
  };
}
