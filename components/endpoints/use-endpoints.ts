'use client';

import { useParams } from 'next/navigation';
import { useMemo } from 'react';
import useSWR from 'swr';
import { apiFetch, fetchFromApi } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred, useResource } from '@/components/projects/use-resource';
import type { EndpointSignature } from '@/lib/delivery/endpoint-options-policy';
import type {
  Endpoint,
  EndpointSecret,
  SignatureCheck,
  Subscription,
  TestEndpointBody,
  TestResult,
  UpdateEndpointBody,
  VerifySignatureBody,
} from '@/lib/delivery/schema';
import type { CatalogueType } from '@/lib/events/schema';
import type { EndpointHealth, EndpointHealthList } from '@/lib/stats/schema';

export interface EndpointBody {
  /** What a new endpoint is subscribed to. */
  eventTypes?: string[];
  url: string;
  description: string | null;
  enabled?: boolean;
  /** Seconds before each retry; empty for the default schedule. */
  retrySeconds: number[];
}

/** What a new endpoint has beside that. */
export interface NewEndpointBody extends EndpointBody {
  uid?: string;
  secret?: string;
  signature?: EndpointSignature;
  /** The id or uid of the customer whose it is. */
  customer?: string;
  receivesCustomerEvents?: boolean;
}

/** Options of an endpoint that are sent as they are. Its filter is sent as text, since its numbers are exact. */
export type OptionsChange = Pick<
  UpdateEndpointBody,
  'uid' | 'metadata' | 'headers' | 'signature' | 'bodyFormat' | 'rateLimit' | 'receivesCustomerEvents'
>;

/** Changes to an endpoint. */
type EndpointChange = Partial<EndpointBody> & OptionsChange & { pauseReason?: string | null };

export function createEndpoint(projectId: string, body: NewEndpointBody): Promise<Endpoint> {
  return apiFetch<Endpoint>(`/projects/${projectId}/endpoints`, { method: 'POST', body });
}

/** Loads the endpoint of the page and returns its actions. */
export function useEndpoint() {
  const { endpointId } = useParams<{ endpointId: string }>();
  const resource = useResource<Endpoint>(`endpoints/${endpointId}`);
  const { path } = resource;
  return {
    ...resource,
    update: (body: EndpointChange) => resource.update(body),
    /** @param filter its JSON; null for none */
    setFilter: async (filter: string | null) =>
      resource.show(await apiFetch<Endpoint>(path, { method: 'PATCH', bodyText: `{"filter":${filter}}` })),
    revealSecret: () => apiFetch<EndpointSecret>(`${path}/secret`),
    /** @param secret the new one; undefined for a generated one */
    rotateSecret: (gracePeriodHours: number, secret: string | undefined) =>
      apiFetch<EndpointSecret>(`${path}/rotate-secret`, { method: 'POST', body: { gracePeriodHours, secret } }),
    endPreviousSecret: () => apiFetch(`${path}/previous-secret`, { method: 'DELETE' }),
    sendTest: (body: Required<TestEndpointBody>) => apiFetch<TestResult>(`${path}/test`, { method: 'POST', body }),
    checkSignature: (body: VerifySignatureBody) =>
      apiFetch<SignatureCheck>(`${path}/verify-signature`, { method: 'POST', body }),
  };
}

export type EndpointActions = ReturnType<typeof useEndpoint>;

/** Loads the first hundred endpoints, to show their URLs and to choose from them. */
export function useEndpointNames() {
  return useFirstHundred<Endpoint>(useProjectPath('endpoints'));
}

const HEALTH_REFRESH_MS = 30_000;
/** As many as the API takes at once. */
const AT_ONCE = 100;

/** Loads the health of endpoints, by id; undefined while it is loading. */
export function useEndpointHealth(endpointIds: readonly string[] | undefined) {
  const ids = endpointIds ?? [];
  const path = useProjectPath('endpoint-health');
  const { data, error } = useSWR(
    ids.length === 0 ? null : [path, ...ids],
    async () => {
      const found: EndpointHealth[] = [];
      // One after another: the API takes one such request of a person at a time.
      for (let start = 0; start < ids.length; start += AT_ONCE) {
        const some = ids.slice(start, start + AT_ONCE).join(',');
        const { data: health } = await fetchFromApi<EndpointHealthList>(`${path}?endpointIds=${some}`);
        found.push(...health);
      }
      return found;
    },
    { refreshInterval: HEALTH_REFRESH_MS, keepPreviousData: true },
  );
  // SWR takes two Maps for the same, whatever they have, so it gets a list.
  const health = useMemo(() => data && new Map(data.map((each) => [each.endpointId, each])), [data]);
  return { health, error: error as unknown };
}

/** Where the page of an endpoint has its subscriptions. */
export const SUBSCRIPTIONS_ANCHOR = 'subscriptions';

/** Loads the first hundred subscriptions of an endpoint, and returns the actions that change them. */
export function useEndpointSubscriptions(endpointId: string) {
  const path = useProjectPath('subscriptions');
  const { rows, hasMore, error, reload } = useFirstHundred<Subscription>(`${path}?endpointId=${endpointId}`);
  const add = async (eventType: string) => {
    await apiFetch(path, { method: 'POST', body: { endpointId, eventType } });
    await reload();
  };
  return {
    subscriptions: rows,
    hasMore,
    error,
    add,
    /** Subscribes to a type, enables its subscription, or deletes it. */
    toggle: async (eventType: string, subscription: Subscription | undefined, isChecked: boolean) => {
      if (subscription === undefined) return add(eventType);
      const change = isChecked ? { method: 'DELETE' as const } : { method: 'PATCH' as const, body: { enabled: true } };
      await apiFetch(`${path}/${subscription.id}`, change);
      await reload();
    },
  };
}

/** Loads the first hundred event types of the project, in alphabetical order; undefined while they load. */
export function useKnownTypes(): string[] | undefined {
  return useCatalogueTypes()?.map(({ name }) => name);
}

/** Loads what `useKnownTypes` does, with descriptions and examples. */
export function useCatalogueTypes(): CatalogueType[] | undefined {
  const { data, error } = useSWR<CursorPage<CatalogueType>>(useProjectPath('event-types?limit=100'));
  // Types only help to choose: without them, people type.
  return error ? [] : data?.data;
}
