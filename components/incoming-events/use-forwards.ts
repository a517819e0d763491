'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import { deliveriesPath } from '@/components/deliveries/use-deliveries';
import { useChanges } from '@/components/live/use-changes';
import type { Delivery } from '@/lib/delivery/schema';

const KINDS = ['deliveries'] as const;
const SETTLING_MS = 2000;

/** Loads the forwards of an incoming event, at most a hundred, and follows them while one is pending. */
export function useForwards(projectId: string, incomingEventId: string) {
  const path = `${deliveriesPath(projectId)}?incomingEventId=${incomingEventId}&limit=100`;
  const swr = useSWR<CursorPage<Delivery>>(path, {
    refreshInterval: (page) => (hasPending(page) ? SETTLING_MS : 0),
  });
  useChanges(hasPending(swr.data) ? projectId : null, KINDS, () => swr.mutate());
  return { forwards: swr.data?.data, error: swr.error as unknown, reload: () => swr.mutate() };
}

function hasPending(page: CursorPage<Delivery> | undefined): boolean {
  return page?.data.some(({ status }) => status === 'PENDING') ?? false;
}
