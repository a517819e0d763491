'use client';

import type { ReactNode } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred } from '@/components/projects/use-resource';
import { StatusDot } from '@/components/ui/badge';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { describeReasons } from '@/lib/delivery/filters/filter-policy';
import type { Endpoint, EventDetail, FilterTest, Subscription } from '@/lib/delivery/schema';
import { explainNoDelivery, type MissedBy } from './explain-no-delivery';

/** Says why an event has no deliveries. */
export function NoDeliveries({ event }: { event: EventDetail }) {
  return (
    <div className="rounded-lg border border-dashed px-4 py-6 text-center text-muted text-sm">
      {event.fanOutStatus === 'PENDING' ? (
        <p role="status" className="inline-flex items-center gap-2">
          <StatusDot tone="accent" live /> Queued: its deliveries aren’t created yet.
        </p>
      ) : event.fanOutStatus === 'DEAD' ? (
        <p>The service couldn’t create the deliveries. Give the operator the event’s ID.</p>
      ) : (
        <Unmatched event={event} />
      )}
    </div>
  );
}

const MAX_SHOWN = 5;

function Unmatched({ event }: { event: EventDetail }) {
  const subscriptionsPath = useProjectPath('subscriptions');
  const { rows: subscriptions, error } = useFirstHundred<Subscription>(subscriptionsPath);
  const { rows: endpoints, error: endpointsError } = useEndpointNames();
  const type = <code className="wrap-anywhere font-mono">{event.type}</code>;
  if (!(error || endpointsError) && (subscriptions === undefined || endpoints === undefined)) return <p>Loading…</p>;
  const missed = explainNoDelivery(event, subscriptions ?? [], endpoints ?? []);
  if (missed.length === 0) {
    return (
      <p>
        No subscription matched {type} when it was received.{' '}
        <TextLink href={subscriptionsPath}>View subscriptions</TextLink>
      </p>
    );
  }
  return (
    <>
      <p>{type} made no delivery when it was received:</p>
      <ul className="mt-2 grid gap-1">
        {missed.slice(0, MAX_SHOWN).map((each) => (
          <li key={each.subscription.id}>
            <Missed event={event} {...each} />
          </li>
        ))}
      </ul>
      {missed.length > MAX_SHOWN ? <p className="mt-1">And {missed.length - MAX_SHOWN} more subscriptions.</p> : null}
    </>
  );
}

function Missed({ event, subscription, endpoint, why, at }: MissedBy & { event: EventDetail }) {
  const href = useProjectPath(`endpoints/${subscription.endpointId}`);
  const name = <TextLink href={href}>{endpoint === undefined ? 'An endpoint' : new URL(endpoint.url).host}</TextLink>;
  const pattern = <code className="wrap-anywhere font-mono">{subscription.eventType}</code>;
  const since = at === null ? null : <RelativeTime at={at} />;
  const sentences: Record<MissedBy['why'], ReactNode> = {
    'endpoint disabled': (
      <>
        {name} was disabled {since}. It subscribes to {pattern}.
      </>
    ),
    'endpoint paused': (
      <>
        {name} was paused {since}. It subscribes to {pattern}.
      </>
    ),
    'subscription disabled': (
      <>
        The subscription of {name} to {pattern} is disabled.
      </>
    ),
    'subscribed later': (
      <>
        {name} subscribed to {pattern} later, {since}.
      </>
    ),
    filtered: (
      <>
        {name} subscribes to {pattern}, <WhyFiltered event={event} filter={endpoint?.filter ?? null} />
      </>
    ),
    'enabled later': (
      <>
        {name} subscribes to {pattern} now. It was paused, disabled or not subscribed then.
      </>
    ),
  };
  return sentences[why];
}

/** Ends a sentence with what the filter of an endpoint says of an event, as it is at present. */
function WhyFiltered({ event: { id, type, data }, filter }: { event: EventDetail; filter: Endpoint['filter'] }) {
  const path = useProjectPath('filter-tests');
  const { data: tested, error } = useSWR(
    [path, JSON.stringify(filter), id],
    // The numbers of both keep their digits.
    () => apiFetch<FilterTest>(path, { method: 'POST', body: { filter, type, data } }),
    { revalidateOnFocus: false },
  );
  if (tested === undefined) return error ? 'but its filter may select other events.' : 'but …';
  if (tested.matches) return 'and its filter matches now. It had another filter, was paused, or not subscribed then.';
  return `but its filter left it out: ${describeReasons(tested.failed)}.`;
}
