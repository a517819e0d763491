'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import type { Delivery, Endpoint, Subscription } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';

const WAITING_MS = 2000;
/** A delivery ends quickly: polls more often, so that it can be watched. */
const WATCHING_MS = 700;

/** Loads what a project already has, and polls until its first successful delivery. */
export function useFirstSteps(projectId: string | null) {
  const pathOf = (what: string) => (projectId === null ? null : `/projects/${projectId}/${what}`);
  const succeeded = useSWR<CursorPage<Delivery>>(pathOf('deliveries?limit=1&status=SUCCEEDED'), {
    refreshInterval: (found) => (found?.data.length ? 0 : WAITING_MS),
  });
  const finished = (succeeded.data?.data.length ?? 0) > 0;
  const every = (ms: number) => ({ refreshInterval: finished ? 0 : ms });
  const events = useSWR<CursorPage<EventListItem>>(pathOf('events?limit=1'), every(WAITING_MS));
  const endpoints = useSWR<CursorPage<Endpoint>>(pathOf('endpoints?limit=1'));
  const subscriptions = useSWR<CursorPage<Subscription>>(pathOf('subscriptions?limit=1'));
  const subscribed = (subscriptions.data?.data.length ?? 0) > 0;
  const deliveries = useSWR<CursorPage<Delivery>>(
    pathOf('deliveries?limit=1'),
    every(subscribed ? WATCHING_MS : WAITING_MS),
  );
  const all = [events, endpoints, subscriptions, deliveries, succeeded];
  const loading = projectId !== null && all.some((part) => part.data === undefined);
  const event = events.data?.data[0];
  const newest = deliveries.data?.data[0];
  const progress = {
    hasProject: projectId !== null,
    hasEvent: event !== undefined,
    hasEndpoint: (endpoints.data?.data.length ?? 0) > 0,
    hasSubscription: subscribed,
    hasDelivery: newest !== undefined,
    hasSuccess: finished || newest?.status === 'SUCCEEDED',
  };
  return {
    loading,
    error: all.find((part) => part.data === undefined && part.error)?.error as unknown,
    progress,
    step: currentStep(progress),
    event,
    sampleType: sampleType(subscriptions.data?.data[0]?.eventType ?? '*'),
    sampleCustomer: endpoints.data?.data[0]?.customerUid ?? '',
    endpoint: endpoints.data?.data[0],
    delivery: shownDelivery(succeeded.data?.data[0], newest),
    reload: () => Promise.all(all.map((part) => part.mutate())),
  };
}

const STEPS = ['project', 'endpoint', 'event', 'delivery'] as const;
type StepName = (typeof STEPS)[number];

/** What a project already has, for the setup guide. */
export interface Progress {
  hasProject: boolean;
  hasEvent: boolean;
  hasEndpoint: boolean;
  hasSubscription: boolean;
  hasDelivery: boolean;
  hasSuccess: boolean;
}

/**
 * Returns the next step, derived from existing data, so that the guide can be left and resumed; null when all is done. The
 * endpoint is before the event, so that no event of the guide is without a matching endpoint.
 */
export function currentStep(progress: Progress): StepName | null {
  if (progress.hasSuccess) return null;
  if (!progress.hasProject) return 'project';
  if (!progress.hasEndpoint || !progress.hasSubscription) return 'endpoint';
  return progress.hasDelivery ? 'delivery' : 'event';
}

/** The log of a test receiver is written shortly after its response. */
const RECEIVED_POLL_MS = 500;
const RECEIVED_WAIT_MS = 30_000;

/** Returns when to look again for what a test receiver got; 0 for never, once it got something or long after the attempt. */
export function receivedPollMs(received: readonly unknown[] | undefined, waitedMs: number): number {
  return received?.length || waitedMs > RECEIVED_WAIT_MS ? 0 : RECEIVED_POLL_MS;
}

/** Returns the delivery that the guide draws: once one has succeeded that one, since a newer one may be retrying. */
export function shownDelivery<D>(succeeded: D | undefined, newest: D | undefined): D | undefined {
  return succeeded ?? newest;
}

export type StepState = 'done' | 'current' | 'later';

export function stateOf(step: StepName, current: StepName | null): StepState {
  if (current === null) return 'done';
  const here = STEPS.indexOf(step);
  const now = STEPS.indexOf(current);
  if (here === now) return 'current';
  return here < now ? 'done' : 'later';
}

/** Returns an event type that a subscription's pattern matches, so that the sample event has an endpoint. */
export function sampleType(pattern: string): string {
  if (pattern === '*' || pattern === 'order.*') return 'order.paid';
  return pattern.endsWith('.*') ? `${pattern.slice(0, -1)}created` : pattern;
}
