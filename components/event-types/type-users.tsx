'use client';

import { Send } from 'lucide-react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useEndpointNames } from '@/components/endpoints/use-endpoints';
import { useToastAction } from '@/components/form/use-async-action';
import { useKeyNames } from '@/components/keys/use-keys';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { shortId } from '@/components/ui/copyable-id';
import { formatCount } from '@/components/ui/format-figures';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import type { TestResult } from '@/lib/delivery/schema';
import type { CatalogueType, EventListItem } from '@/lib/events/schema';
import { LOOKED_AT, useMatchingSubscriptions, useNewestEvents } from './use-event-types';

interface SenderOfType {
  keyId: string | null;
  count: number;
  lastAt: string;
}

/** Returns the keys that events were sent with, the last one first. */
function sendersOf(events: readonly EventListItem[]): SenderOfType[] {
  const senders = new Map<string | null, SenderOfType>();
  for (const { apiKeyId, createdAt } of events) {
    const known = senders.get(apiKeyId);
    if (known === undefined) senders.set(apiKeyId, { keyId: apiKeyId, count: 1, lastAt: createdAt });
    else known.count += 1;
  }
  return [...senders.values()];
}

/** The keys that a type was sent with. */
export function SendersCard({ name }: { name: string }) {
  const events = useNewestEvents(name);
  const keys = useKeyNames();
  const eventsPath = useProjectPath('events');
  const keysPath = useProjectPath('keys');
  const isLoading = events === undefined || (keys.rows === undefined && !keys.error);
  return (
    <Card
      title="Sent with"
      description={`The API keys of its newest ${LOOKED_AT} events.`}
      actions={
        <TextLink href={`${eventsPath}?type=${encodeURIComponent(name)}`} className="text-sm">
          View its events
        </TextLink>
      }
    >
      {isLoading ? (
        <Skeleton className="h-12 w-full" />
      ) : events.length === 0 ? (
        <p className="text-muted text-sm">No event of this type is stored.</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {sendersOf(events).map(({ keyId, count, lastAt }) => (
            <li key={keyId} className="flex flex-wrap items-baseline justify-between gap-x-4">
              {keyId === null ? (
                <span>A key of an earlier version</span>
              ) : (
                <TextLink href={`${keysPath}/${keyId}`}>{keys.find(keyId)?.name ?? `Key ${shortId(keyId)}`}</TextLink>
              )}
              <span className="text-muted">
                {count === 1 ? '1 event' : `${formatCount(count)} events`}, last <RelativeTime at={lastAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The endpoints that are subscribed to a type. */
export function ReceiversCard({ type }: { type: CatalogueType }) {
  const { subscriptions, hasMore } = useMatchingSubscriptions(type.name);
  const endpoints = useEndpointNames();
  const path = useProjectPath('endpoints');
  const isLoading = subscriptions === undefined || (endpoints.rows === undefined && !endpoints.error);
  const ids = [...new Set((subscriptions ?? []).map(({ endpointId }) => endpointId))];
  return (
    <Card title="Received by" description="The endpoints that are subscribed to it.">
      {isLoading ? (
        <Skeleton className="h-12 w-full" />
      ) : ids.length === 0 ? (
        <p className="text-muted text-sm">No endpoint is subscribed to it.</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {ids.map((id) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 sm:flex-nowrap">
              <TextLink href={`${path}/${id}`} className="wrap-anywhere min-w-0 font-mono text-xs">
                {endpoints.find(id)?.url ?? `Endpoint ${shortId(id)}`}
              </TextLink>
              {type.example === null ? null : <SendExample endpointId={id} type={type} />}
            </li>
          ))}
        </ul>
      )}
      {hasMore ? <p className="mt-3 text-muted text-sm">There are more.</p> : null}
    </Card>
  );
}

/** Sends the example of a type to an endpoint now. */
function SendExample({ endpointId, type }: { endpointId: string; type: CatalogueType }) {
  const path = useProjectPath(`endpoints/${endpointId}/test`);
  const disabledReason = useDisabledReason('endpoint.manage');
  const { pending, run } = useToastAction('We couldn’t send the example');
  const send = () =>
    run(async () => {
      const body = { type: type.name, data: type.example };
      const { succeeded, responseStatus, error } = await apiFetch<TestResult>(path, { method: 'POST', body });
      const answer = responseStatus === null ? (error ?? 'no response') : `status ${responseStatus}`;
      if (succeeded) toast.success(`Example delivered: ${answer}.`);
      else toast.error(`Example not delivered: ${answer}.`);
    });
  return (
    <Button size="sm" loading={pending} disabledReason={disabledReason} onClick={send}>
      <Send aria-hidden="true" />
      Send example
    </Button>
  );
}
