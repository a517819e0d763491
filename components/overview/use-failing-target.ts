'use client';

import useSWR from 'swr';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import type { FailingTarget } from '@/lib/stats/schema';

const REFRESH_MS = 30_000;

type Shown = Pick<Endpoint & Destination, 'description' | 'enabled' | 'disabledReason' | 'failingSince'>;

/** Returns the path of the page of an endpoint, or of the source of a destination. */
export function targetPage(projectId: string, { endpointId, sourceId }: FailingTarget): string {
  return `/projects/${projectId}/${endpointId === null ? `sources/${sourceId}` : `endpoints/${endpointId}`}`;
}

/** Loads what statistics do not have of a target: its description, and whether it is paused or disabled. */
export function useFailingTarget(projectId: string, target: FailingTarget) {
  const page = targetPage(projectId, target);
  const path = target.endpointId === null ? `${page}/destinations/${target.destinationId}` : page;
  const { data, isLoading } = useSWR<Shown>(path, { refreshInterval: REFRESH_MS });
  return { details: data, isLoading };
}
