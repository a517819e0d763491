'use client';

import { useEffect } from 'react';
import useSWR from 'swr';
import { type CursorPage, type Pages, readAll } from '@/components/data-table/use-pages';
import type { Subscription } from '@/lib/delivery/schema';
import type { EventTypeSummary } from '@/lib/events/schema';
import type { PortalDelivery, PortalEndpoint } from '@/lib/portal/schema';
import { usePortal } from './use-portal';

/** A customer has 300 reads in a minute, for all of its people. */
const REFRESH_MS = 8_000;
const SETTLING_MS = 2_000;

/** Who reads further back does not wait for news. */
const FOLLOWED_PAGES = 2;

/** Loads a list again at intervals, while the page is seen. */
export function useRefresh({ reload, size }: Pick<Pages<unknown>, 'reload' | 'size'>): void {
  const { isEnded } = usePortal();
  useEffect(() => {
    if (isEnded || size > FOLLOWED_PAGES) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload, size, isEnded]);
}

/** Loads an endpoint, and follows it. */
export function useEndpoint(endpointId: string) {
  return useSWR<PortalEndpoint>(`/endpoints/${endpointId}`, { refreshInterval: REFRESH_MS });
}

/** As many as the endpoints of a customer may have by default. */
const MAX_SUBSCRIPTIONS = 5_000;

/** Loads all that an endpoint is subscribed to; undefined while it loads. */
export function useSubscriptions(endpointId: string) {
  const { fetch } = usePortal();
  const path = `/endpoints/${endpointId}/subscriptions`;
  const { data, error, mutate } = useSWR(
    [path, 'all'],
    () => readAll<Subscription>(path, MAX_SUBSCRIPTIONS, fetch),
    // These may be many pages.
    { revalidateOnFocus: false },
  );
  return { subscriptions: data, error: error as unknown, reload: () => mutate() };
}

/** Loads when the newest event was sent to an endpoint; null for never, undefined while it loads. */
export function useLastDeliveryAt(endpointId: string): string | null | undefined {
  const { data } = useSWR<CursorPage<PortalDelivery>>(`/deliveries?endpointId=${endpointId}&limit=1`, {
    refreshInterval: REFRESH_MS,
  });
  return data && (data.data[0]?.createdAt ?? null);
}

/** Loads the event types that the customer can receive: the first hundred. Undefined while they load. They only help to choose. */
export function useEventTypes(): EventTypeSummary[] | undefined {
  const { data, error } = useSWR<CursorPage<EventTypeSummary>>('/event-types?limit=100', { revalidateOnFocus: false });
  return error ? [] : data?.data;
}

/** Loads a delivery, and follows it more closely while an attempt is due. */
export function useDelivery(deliveryId: string) {
  return useSWR<PortalDelivery>(`/deliveries/${deliveryId}`, {
    refreshInterval: (latest) => (latest !== undefined && isDue(latest) ? SETTLING_MS : REFRESH_MS),
  });
}

function isDue({ status, nextAttemptAt }: PortalDelivery): boolean {
  return status === 'PENDING' && (nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < SETTLING_MS);
}
