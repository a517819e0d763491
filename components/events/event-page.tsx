'use client';

import { DeliveryCard } from '@/components/deliveries/delivery-card';
import { KEY_VARIABLE } from '@/components/keys/samples';
import { RemovedByRetention } from '@/components/retention/removed-by-retention';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { CopyableId } from '@/components/ui/copyable-id';
import { prettyJson } from '@/components/ui/format-json';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { StatusDot } from '@/components/ui/status-dot';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { EventDetail } from '@/lib/delivery/schema';
import { eventCurl } from './event-curl';
import { useEvent } from './use-events';

/** One event: its payload and deliveries. */
export function EventPage({ projectId, eventId }: { projectId: string; eventId: string }) {
  const { data: event, error, mutate } = useEvent(projectId, eventId);
  const baseUrl = useBaseUrl();
  if (event === undefined) {
    if (error) {
      const onRetry = () => void mutate();
      return <RemovedByRetention what="event" id={eventId} projectId={projectId} error={error} onRetry={onRetry} />;
    }
    return <PageSkeleton parts={['h-7 w-56', 'w-80 max-w-full', 'h-48 w-full', 'h-24 w-full']} />;
  }
  return (
    <>
      <PageHeader
        title={<span className="break-all font-mono text-lg">{event.type}</span>}
        description={
          <span className="flex flex-wrap items-center gap-x-3">
            <CopyableId id={event.id} label="Copy event ID" />
            <span>
              Received <RelativeTime at={event.createdAt} />
            </span>
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
          <CodeBlock label="Payload" language="json" code={prettyJson(event.data)} className="rounded-none border-0" />
        </Card>
        <section aria-labelledby="deliveries" className="grid gap-3">
          <h2 id="deliveries" className="mt-2 font-semibold text-base">
            Deliveries
          </h2>
          {event.deliveries.length === 0 ? <NoDeliveries projectId={projectId} event={event} /> : null}
          {event.deliveries.map((delivery) => (
            <DeliveryCard key={delivery.id} projectId={projectId} delivery={delivery} onChanged={() => void mutate()} />
          ))}
        </section>
      </div>
    </>
  );
}

function NoDeliveries({ projectId, event }: { projectId: string; event: EventDetail }) {
  return (
    <div className="rounded-lg border border-dashed px-4 py-6 text-center text-muted text-sm">
      {event.fanOutStatus === 'PENDING' ? (
        <p role="status" className="inline-flex items-center gap-2">
          <StatusDot tone="accent" live /> Queued: its deliveries aren’t created yet.
        </p>
      ) : event.fanOutStatus === 'DEAD' ? (
        <p>The service couldn’t create the deliveries. Give the operator the event’s ID.</p>
      ) : (
        <p>
          No enabled subscription matched <code className="font-mono">{event.type}</code> when it was received.{' '}
          <Link href={`/projects/${projectId}/subscriptions`} className="font-medium text-accent-text underline">
            View subscriptions
          </Link>
        </p>
      )}
    </div>
  );
}
