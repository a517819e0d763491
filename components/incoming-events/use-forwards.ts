'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import { deliveriesPath } from '@/components/deliveries/use-deliveries';
import type { Delivery } from '@/lib/delivery/schema';

const SETTLING_MS = 2000;

/** Loads the forwards of an incoming event, at most a hundred, and polls while one is pending. */
export function useForwards(projectId: string, incomingEventId: string) {
  const path = `${deliveriesPath(projectId)}?incomingEventId=${incomingEventId}&limit=100`;
  const swr = useSWR<CursorPage<Delivery>>(path, {
    refreshInterval: (page) => (page?.data.some(({ status }) => status === 'PENDING') ? SETTLING_MS : 0),
  });
  return { forwards: swr.data?.data, error: swr.error as unknown, reload: () => swr.mutate() };
}
