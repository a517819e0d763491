'use client';

import { useParams } from 'next/navigation';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { usePages } from '@/components/data-table/use-pages';
import { useResource } from '@/components/projects/use-resource';
import type { Alert, AlertMessage } from '@/lib/alerts/schema';
import type { EndpointSecret } from '@/lib/delivery/schema';

/** Loads the alert of the page with its messages, and returns its actions. */
export function useAlert() {
  const { alertId } = useParams<{ alertId: string }>();
  const resource = useResource<Alert>(`alerts/${alertId}`);
  const messages = usePages<AlertMessage>(`${resource.path}/messages`, {}, { limit: 20 });
  const { path } = resource;
  return {
    ...resource,
    messages,
    /** Sends a test, which is in the list of messages then. */
    sendTest: async () => {
      await apiFetch<AlertMessage>(`${path}/test`, { method: 'POST' });
      await Promise.all([messages.reload(), resource.reload()]);
    },
    revealSecret: () => apiFetch<EndpointSecret>(`${path}/secret`),
    rotateSecret: (gracePeriodHours: number) =>
      apiFetch<EndpointSecret>(`${path}/rotate-secret`, { method: 'POST', body: { gracePeriodHours } }),
  };
}

export type AlertActions = ReturnType<typeof useAlert>;
