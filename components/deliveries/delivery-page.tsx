'use client';

import { describeReason } from '@/components/attempts/describe-status';
import { TargetUrl } from '@/components/endpoints/target-url';
import { useEvent } from '@/components/events/use-events';
import { BodyCard } from '@/components/incoming-events/body-card';
import { SourceName } from '@/components/incoming-events/source-name';
import { useIncomingEvent } from '@/components/incoming-events/use-incoming-events';
import { RemovedByRetention } from '@/components/retention/removed-by-retention';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyableId } from '@/components/ui/copyable-id';
import { prettyJson } from '@/components/ui/format-json';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { shortId } from '@/components/ui/short-id';
import { PageSkeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import type { Delivery } from '@/lib/delivery/schema';
import { AttemptList } from './attempt-list';
import { DeliveryBadge } from './delivery-badge';
import { DeliveryProgress } from './delivery-progress';
import { RetryButton } from './retry-button';
import { useDelivery } from './use-deliveries';

const LINK = 'wrap-anywhere font-medium font-mono text-accent-text text-xs hover:underline';

/** Two columns, since URLs are long; on a phone all. */
const WIDE = 'sm:col-span-2 max-sm:col-span-full';

/** One delivery: its target, attempts and payload. */
export function DeliveryPage({ projectId, deliveryId }: { projectId: string; deliveryId: string }) {
  const { data: delivery, error, mutate } = useDelivery(projectId, deliveryId);
  if (delivery === undefined) {
    if (error) {
      const onRetry = () => void mutate();
      return (
        <RemovedByRetention what="delivery" id={deliveryId} projectId={projectId} error={error} onRetry={onRetry} />
      );
    }
    return <PageSkeleton parts={['h-7 w-48', 'h-20 w-full', 'h-32 w-full']} />;
  }
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            Delivery <DeliveryBadge delivery={delivery} />
          </span>
        }
        description={<CopyableId id={delivery.id} label="Copy delivery ID" />}
        actions={<RetryButton projectId={projectId} delivery={delivery} onRetried={() => void mutate()} />}
      />
      <div className="grid gap-4">
        <DeliveryFacts projectId={projectId} delivery={delivery} />
        <Card title="Attempts" description={<DeliveryProgress delivery={delivery} />} flush>
          <AttemptList projectId={projectId} delivery={delivery} />
        </Card>
        <Payload projectId={projectId} delivery={delivery} />
      </div>
    </>
  );
}

function Payload({ projectId, delivery }: { projectId: string; delivery: Delivery }) {
  const { data: event } = useEvent(projectId, delivery.eventId);
  const { data: incoming } = useIncomingEvent(projectId, delivery.incomingEventId);
  if (incoming !== undefined) return <BodyCard projectId={projectId} event={incoming} />;
  if (event === undefined) return null;
  return (
    <Card title="Payload" flush>
      <CodeBlock label="Payload" language="json" code={prettyJson(event.data)} className="rounded-none border-0" />
    </Card>
  );
}

/** What a delivery is about, its target, and its last failure. */
function DeliveryFacts({ projectId, delivery }: { projectId: string; delivery: Delivery }) {
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
