'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { withQuery } from '@/components/data-table/url-filters';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useProjectPath } from '@/components/projects/use-projects';
import type { BulkRetry, DeliveryCount } from '@/lib/delivery/schema';

const RUNNING_MS = 1000;
/** A project runs three at once; the rest is one that has just ended. */
const SHOWN = 5;

/** What to retry: filters of the list of deliveries, or ids. */
export type NewBulkRetry = Record<string, string | readonly string[] | undefined>;

/** Loads the newest bulk retries of a project, polls while one runs, and returns their actions. */
export function useBulkRetries() {
  const path = useProjectPath('bulk-retries');
  const swr = useSWR<CursorPage<BulkRetry>>(`${path}?limit=${SHOWN}`, {
    refreshInterval: (page) => (page?.data.some(({ status }) => status === 'RUNNING') ? RUNNING_MS : 0),
  });
  const change = async (request: Promise<BulkRetry>) => {
    const changed = await request;
    await swr.mutate();
    return changed;
  };
  return {
    bulkRetries: swr.data?.data,
    start: (body: NewBulkRetry) => change(apiFetch<BulkRetry>(path, { method: 'POST', body })),
    cancel: (id: string) => change(apiFetch<BulkRetry>(`${path}/${id}/cancel`, { method: 'POST' })),
  };
}

/** The state of deliveries changes by itself. Counting more of them again and again costs too much. */
const RECOUNT_MS = 5000;
const MAX_RECOUNTED = 1000;

/** A project has one count under way, so another tab may be first. The last number stays meanwhile. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 10_000;

/** Counts the deliveries of a project that match; loads nothing without a query. */
export function useDeliveryCount(query: Record<string, string | undefined> | null) {
  const counts = useProjectPath('delivery-count');
  const path = query === null ? null : withQuery(counts, query);
  const { data, mutate } = useSWR<DeliveryCount>(path, {
    keepPreviousData: false,
    refreshInterval: (counted) => (counted !== undefined && counted.count <= MAX_RECOUNTED ? RECOUNT_MS : 0),
    onErrorRetry: (_error, _key, _config, revalidate, { retryCount }) => {
      const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (retryCount - 1)) * (0.75 + Math.random() / 2);
      setTimeout(() => void revalidate({ retryCount }), waitMs);
    },
  });
  return { count: data, recount: () => mutate() };
}
