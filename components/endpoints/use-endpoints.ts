'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { type CursorPage, usePages } from '@/components/data-table/use-pages';
import type { Endpoint, EndpointSecret, TestEndpointBody, TestResult } from '@/lib/delivery/schema';

export interface EndpointBody {
  url: string;
  description: string | null;
  enabled: boolean;
  /** Seconds before each retry; empty for the default schedule. */
  retrySeconds: number[];
}

/** Changes to an endpoint. */
export type EndpointChange = Partial<EndpointBody> & { pauseReason?: string | null };

/** A test event. */
export type TestEvent = Required<TestEndpointBody>;

function endpointsPath(projectId: string): string {
  return `/projects/${projectId}/endpoints`;
}

export function useEndpoints(projectId: string) {
  return usePages<Endpoint>(endpointsPath(projectId));
}

/** Loads the first hundred endpoints, to show their URLs and to choose from them. */
export function useEndpointNames(projectId: string) {
  const { data, isLoading } = useSWR<CursorPage<Endpoint>>(`${endpointsPath(projectId)}?limit=100`);
  return {
    isLoading,
    endpoints: data?.data,
    urlOf: (id: string | null) => data?.data.find((endpoint) => endpoint.id === id)?.url,
  };
}

/** Loads one endpoint and returns its actions. */
export function useEndpoint(projectId: string, endpointId: string) {
  const path = `${endpointsPath(projectId)}/${endpointId}`;
  const swr = useSWR<Endpoint>(path);
  return {
    endpoint: swr.data,
    error: swr.error as unknown,
    reload: () => swr.mutate(),
    update: async (body: EndpointChange) =>
      swr.mutate(await apiFetch<Endpoint>(path, { method: 'PATCH', body }), { revalidate: false }),
    remove: () => apiFetch(path, { method: 'DELETE' }),
    revealSecret: () => apiFetch<EndpointSecret>(`${path}/secret`),
    rotateSecret: () => apiFetch<EndpointSecret>(`${path}/rotate-secret`, { method: 'POST' }),
    sendTest: (event: TestEvent) => apiFetch<TestResult>(`${path}/test`, { method: 'POST', body: event }),
  };
}

export function createEndpoint(projectId: string, body: EndpointBody): Promise<Endpoint> {
  return apiFetch<Endpoint>(endpointsPath(projectId), { method: 'POST', body });
}
