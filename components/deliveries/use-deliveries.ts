'use client';

import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { usePages } from '@/components/data-table/use-pages';
import { useChanges } from '@/components/live/use-changes';
import type { Attempt, Delivery } from '@/lib/delivery/schema';

const KINDS = ['deliveries'] as const;
const PENDING_MS = 2000;

export function deliveriesPath(projectId: string): string {
  return `/projects/${projectId}/deliveries`;
}

/** Loads one delivery, and follows it while it is pending. */
export function useDelivery(projectId: string, deliveryId: string) {
  const swr = useSWR<Delivery>(`${deliveriesPath(projectId)}/${deliveryId}`, {
    refreshInterval: (delivery) => (delivery?.status === 'PENDING' ? PENDING_MS : 0),
  });
  const { data: delivery, mutate } = swr;
  const isPending = delivery?.status === 'PENDING';
  useChanges(isPending ? projectId : null, KINDS, () => mutate());
  return swr;
}

/** Loads the attempts of a delivery, newest first. Reloads when `attemptCount` changes. */
export function useAttempts(projectId: string, delivery: Pick<Delivery, 'id' | 'attemptCount'>) {
  const { id, attemptCount } = delivery;
  const pages = usePages<Attempt>(attemptCount === 0 ? null : `${deliveriesPath(projectId)}/${id}/attempts`);
  const { reload } = pages;
  const read = useRef(attemptCount);
  useEffect(() => {
    if (read.current === attemptCount) return;
    read.current = attemptCount;
    void reload();
  });
  return pages;
}

/** Sends a delivery again, also one that has succeeded. */
export function retryDelivery(projectId: string, deliveryId: string): Promise<unknown> {
  return apiFetch(`${deliveriesPath(projectId)}/${deliveryId}/retry`, { method: 'POST' });
}
