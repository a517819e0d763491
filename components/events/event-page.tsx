'use client';

import { useParams } from 'next/navigation';
import { CustomerLink } from '@/components/customers/customer-link';
import { DeliveryCards } from '@/components/deliveries/delivery-card';
import { useEvent } from '@/components/deliveries/use-deliveries';
import { KEY_VARIABLE } from '@/components/keys/samples';
import { useKeyNames } from '@/components/keys/use-keys';
import { ResourcePage } from '@/components/projects/resource-page';
import { RemovedByRetention } from '@/components/retention/retention-notes';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { CopyableId } from '@/components/ui/copyable-id';
import { compactJson, prettyJson } from '@/components/ui/format-json';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { shellQuote } from '@/components/ui/shell-quote';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { EventDetail } from '@/lib/delivery/schema';
import { NoDeliveries } from './no-deliveries';
import { Sender } from './sender';
import { WhereItWent } from './where-it-went';

/** One event: its payload and deliveries. */
export function EventPage() {
  const { eventId } = useParams<{ eventId: string }>();
  const loaded = useEvent(eventId);
  const keys = useKeyNames();
  const baseUrl = useBaseUrl();
  return (
    <ResourcePage
      // The name of the key may need a line more than its id: shown late, it would move what is below.
      from={keys.rows === undefined && !keys.error ? { ...loaded, data: undefined } : loaded}
      skeleton={['h-7 w-56', 'w-80 max-w-full', 'h-48 w-full', 'h-24 w-full']}
      failure={(failure) => <RemovedByRetention what="event" id={eventId} {...failure} />}
    >
      {(event) => (
        <>
          <PageHeader
            title={<span className="break-all font-mono text-lg">{event.type}</span>}
            description={
              <span className="flex flex-wrap items-center gap-x-3">
                <CopyableId id={event.id} label="Copy event ID" />
                <span>
                  Received <RelativeTime at={event.createdAt} />
                </span>
                <CustomerLink of={event} />
                <Sender event={event} keyOf={keys.find} />
              </span>
            }
            actions={
              <CopyButton
                variant="secondary"
                size="md"
                label="Copy a curl command that sends this event again"
                text={eventCurl(baseUrl, KEY_VARIABLE, event)}
              >
                Copy as curl
              </CopyButton>
            }
          />
          <div className="grid gap-4">
            <Card title="Payload" flush>
              <CodeBlock
                label="Payload"
                language="json"
                code={prettyJson(event.data)}
                className="rounded-none border-0"
              />
            </Card>
            <section aria-labelledby="deliveries" className="grid gap-3">
              <h2 id="deliveries" className="mt-2 font-semibold text-base">
                Deliveries
              </h2>
              {event.deliveries.length === 0 ? <NoDeliveries event={event} /> : null}
              <DeliveryCards deliveries={event.deliveries} receivedAt={event.createdAt} onChanged={loaded.reload} />
            </section>
            <WhereItWent event={event} onSent={loaded.reload} />
          </div>
        </>
      )}
    </ResourcePage>
  );
}

/** Returns a curl command that sends the same event again. `key` can be a shell variable. */
export function eventCurl(
  baseUrl: string,
  key: string,
  { type, data, customerUid }: Pick<EventDetail, 'type' | 'customerUid'> & { data: unknown },
): string {
  const body = compactJson({ type, ...(customerUid === null ? {} : { customer: customerUid }), data });
  return `curl ${shellQuote(`${baseUrl}/api/v1/events`)} \\
  -H "X-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(body)}`;
}
