'use client';

import { useMemo } from 'react';
import useSWR from 'swr';
import type { EndpointHealthList } from '@/lib/stats/schema';

const REFRESH_MS = 30_000;
/** As many as the API takes at once. */
const AT_ONCE = 100;

/** Loads the health of endpoints, by id; undefined while it is loading. An endpoint beyond the first hundred has none. */
export function useEndpointHealth(projectId: string, endpointIds: readonly string[] | undefined) {
  const ids = endpointIds?.slice(0, AT_ONCE).join(',') ?? '';
  const path = ids === '' ? null : `/projects/${projectId}/endpoint-health?endpointIds=${ids}`;
  const { data, error } = useSWR<EndpointHealthList>(path, { refreshInterval: REFRESH_MS, keepPreviousData: true });
  const health = useMemo(() => data && new Map(data.data.map((each) => [each.endpointId, each])), [data]);
  return { health, error: error as unknown };
}
