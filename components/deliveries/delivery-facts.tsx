'use client';

import { describeReason } from '@/components/attempts/describe-status';
import { TargetUrl } from '@/components/endpoints/target-url';
import { SourceName } from '@/components/incoming-events/source-name';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { shortId } from '@/components/ui/short-id';
import { Stat, StatList } from '@/components/ui/stat';
import type { Delivery } from '@/lib/delivery/schema';

const LINK = 'wrap-anywhere font-medium font-mono text-accent-text text-xs hover:underline';

/** Two columns, since URLs are long; on a phone all. */
const WIDE = 'sm:col-span-2 max-sm:col-span-full';

/** What a delivery is about, its target, and its last failure. */
export function DeliveryFacts({ projectId, delivery }: { projectId: string; delivery: Delivery }) {
  const { eventId, incomingEventId, endpointId, sourceId, targetUrl } = delivery;
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
        {sourceId === null ? null : (
          <Stat label="Source">
            <SourceName sourceId={sourceId} />
          </Stat>
        )}
        {incomingEventId === null ? null : (
          <Stat label="Incoming event">
            <Link href={`${base}/incoming-events/${incomingEventId}`} className={LINK}>
              {shortId(incomingEventId)}
            </Link>
          </Stat>
        )}
        {endpointId === null ? null : (
          <Stat label="Endpoint" className={WIDE}>
            <Link href={`${base}/endpoints/${endpointId}`} className={LINK}>
              <TargetUrl url={targetUrl} />
            </Link>
          </Stat>
        )}
        {sourceId === null ? null : (
          <Stat label="Destination" className={WIDE}>
            <Link href={`${base}/sources/${sourceId}`} className={LINK}>
              <TargetUrl url={targetUrl} />
            </Link>
          </Stat>
        )}
        <Stat label="Created">
          <RelativeTime at={delivery.createdAt} />
        </Stat>
        {delivery.lastError === null ? null : <Stat label="Last failure">{describeReason(delivery.lastError)}</Stat>}
      </StatList>
    </Card>
  );
}
