'use client';

import Link from 'next/link';
import { useDestinationNames } from '@/components/destinations/use-destination-names';
import { SourceName } from '@/components/incoming-events/source-name';
import { useIncomingEvent } from '@/components/incoming-events/use-incoming-events';
import { Card } from '@/components/ui/card';
import { RelativeTime } from '@/components/ui/relative-time';
import { shortId } from '@/components/ui/short-id';
import { Stat, StatList } from '@/components/ui/stat';
import type { Delivery } from '@/lib/delivery/schema';
import { useTargetUrl } from './use-target-url';

const LINK = 'break-all font-medium font-mono text-accent-text text-xs hover:underline';

/** What a delivery is about, its target, and its last failure. */
export function DeliveryFacts({ projectId, delivery }: { projectId: string; delivery: Delivery }) {
  const { eventId, incomingEventId, endpointId, destinationId } = delivery;
  const url = useTargetUrl(projectId, delivery);
  const { destinationOf } = useDestinationNames(projectId, destinationId !== null);
  const sourceId = destinationOf(destinationId)?.sourceId;
  const base = `/projects/${projectId}`;
  return (
    <Card>
      <StatList>
        {eventId === null ? null : (
          <Stat label="Event">
            <Link href={`${base}/events/${eventId}`} className={LINK}>
              {delivery.eventType ?? eventId}
            </Link>
          </Stat>
        )}
        {incomingEventId === null ? null : (
          <>
            <IncomingSource projectId={projectId} incomingEventId={incomingEventId} />
            <Stat label="Incoming event">
              <Link href={`${base}/incoming-events/${incomingEventId}`} className={LINK}>
                {shortId(incomingEventId)}
              </Link>
            </Stat>
          </>
        )}
        {endpointId === null ? null : (
          <Stat label="Endpoint">
            <Link href={`${base}/endpoints/${endpointId}`} className={LINK}>
              {url ?? endpointId}
            </Link>
          </Stat>
        )}
        {destinationId === null ? null : (
          <Stat label="Destination">
            {sourceId === undefined ? (
              <code className="font-mono text-muted text-xs">{shortId(destinationId)}</code>
            ) : (
              <Link href={`${base}/sources/${sourceId}`} className={LINK}>
                {url}
              </Link>
            )}
          </Stat>
        )}
        <Stat label="Created">
          <RelativeTime at={delivery.createdAt} />
        </Stat>
        {delivery.lastError === null ? null : <Stat label="Last failure">{delivery.lastError}</Stat>}
      </StatList>
    </Card>
  );
}

function IncomingSource({ projectId, incomingEventId }: { projectId: string; incomingEventId: string }) {
  const { data: event } = useIncomingEvent(projectId, incomingEventId);
  return <Stat label="Source">{event === undefined ? '…' : <SourceName sourceId={event.sourceId} />}</Stat>;
}
