'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/api-fetch';
import { useBulkRetries } from '@/components/bulk-retries/use-bulk-retries';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import type { OutageList } from '@/lib/stats/schema';
import { sendingOf, sendingOfWaiting, type TargetFilter } from './describe-outage';

/** An endpoint or a destination that may have outages, and how to enable it. */
export interface OutageTarget {
  noun: 'endpoint' | 'destination';
  /** Its path in the API. */
  path: string;
  filter: TargetFilter;
  state: Pick<Endpoint | Destination, 'enabled' | 'disabledReason' | 'disabledAt' | 'failingSince'>;
  enable: () => Promise<unknown>;
}

const REFRESH_MS = 30_000;
/** Deliveries that were made due take some time to arrive, or to fail again. */
const SETTLING_REFRESH_MS = 3000;
const SETTLING_MS = 2 * 60_000;

/**
 * Loads the outages of targets and what waits, each with the bulk retry that sends its deliveries, and counts more often while one is
 * sent. `of` returns those of a target; nothing while they load.
 */
export function useOutages(targets: readonly OutageTarget[]) {
  const { bulkRetries = [] } = useBulkRetries();
  const [sendsAny, setSendsAny] = useState(false);
  const paths = targets.map(({ path }) => path);
  const { data, error, mutate } = useSWR(
    paths.length === 0 ? null : ['outages', ...paths],
    async () => {
      // Not a Map: SWR takes two for the same, whatever they have.
      const found: Record<string, OutageList> = {};
      // One after another: the API takes one such request of an owner at a time.
      for (const path of paths) found[path] = await fetchFromApi<OutageList>(`${path}/outages`);
      return found;
    },
    { refreshInterval: sendsAny ? SETTLING_REFRESH_MS : REFRESH_MS, keepPreviousData: true },
  );
  const of = ({ path, filter }: OutageTarget) => {
    const list = data?.[path];
    if (list === undefined) return undefined;
    const rows = list.data.map((outage) => ({ outage, sending: sendingOf(filter, outage, bulkRetries) }));
    return { rows, waiting: { ...list.waiting, sending: sendingOfWaiting(filter, bulkRetries) } };
  };
  const isSending = targets.some((target) => {
    const { rows = [], waiting } = of(target) ?? {};
    return (
      rows.some(({ outage, sending }) => isUnderWay(outage.undelivered, sending)) ||
      (waiting !== undefined && isUnderWay(waiting.count, waiting.sending))
    );
  });
  if (isSending !== sendsAny) setSendsAny(isSending);
  const isLoading = paths.length > 0 && data === undefined && !error;
  return { of, isLoading, reload: () => mutate() };
}

export type Outages = NonNullable<ReturnType<ReturnType<typeof useOutages>['of']>>;

function isUnderWay(left: number, sending: Outages['waiting']['sending']): boolean {
  if (sending === undefined || sending.status === 'CANCELED') return false;
  if (sending.completedAt === null) return true;
  return left > 0 && Date.now() - Date.parse(sending.completedAt) < SETTLING_MS;
}
