'use client';

import { useParams } from 'next/navigation';
import { describeReason } from '@/components/attempts/describe-status';
import { TargetUrl } from '@/components/endpoints/target-url';
import { BodyCard } from '@/components/incoming-events/body-card';
import { SourceName } from '@/components/incoming-events/incoming-event-columns';
import { ResourcePage } from '@/components/projects/resource-page';
import { useProjectPath } from '@/components/projects/use-projects';
import { RemovedByRetention } from '@/components/retention/retention-notes';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyableId, shortId } from '@/components/ui/copyable-id';
import { prettyJson } from '@/components/ui/format-json';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { Stat, StatList } from '@/components/ui/stat';
import type { Delivery } from '@/lib/delivery/schema';
import { AttemptList } from './attempt-list';
import { RetryButton } from './delivery-card';
import { DeliveryBadge, DeliveryProgress } from './delivery-state';
import { useFollowed, useIncomingEvent, useSentEvent } from './use-deliveries';

/** One delivery: its target, attempts and payload. */
export function DeliveryPage() {
  const { deliveryId } = useParams<{ deliveryId: string }>();
  const path = useProjectPath(`deliveries/${deliveryId}`);
  const loaded = useFollowed<Delivery>(path, ({ status }) => status === 'PENDING');
  return (
    <ResourcePage
      from={loaded}
      skeleton={['h-7 w-48', 'h-20 w-full', 'h-32 w-full']}
      failure={(failure) => <RemovedByRetention what="delivery" id={deliveryId} {...failure} />}
    >
      {(delivery) => (
        <>
          <PageHeader
            title={
              <span className="flex flex-wrap items-center gap-2.5">
                Delivery <DeliveryBadge delivery={delivery} />
              </span>
            }
            description={<CopyableId id={delivery.id} label="Copy delivery ID" />}
            actions={<RetryButton delivery={delivery} onChanged={loaded.reload} />}
          />
          <div className="grid gap-4">
            <DeliveryFacts delivery={delivery} />
            <Card title="Attempts" description={<DeliveryProgress delivery={delivery} />} flush>
              <AttemptList delivery={delivery} />
            </Card>
            <Payload delivery={delivery} />
          </div>
        </>
      )}
    </ResourcePage>
  );
}

function Payload({ delivery }: { delivery: Delivery }) {
  const { data: event } = useSentEvent(delivery.eventId);
  const { data: incoming } = useIncomingEvent(delivery.incomingEventId);
  if (incoming !== undefined) return <BodyCard event={incoming} />;
  if (event === undefined) return null;
  return (
    <Card title="Payload" flush>
      <CodeBlock label="Payload" language="json" code={prettyJson(event.data)} className="rounded-none border-0" />
    </Card>
  );
}

const LINK = 'wrap-anywhere font-medium font-mono text-accent-text text-xs hover:underline';

/** Two columns, since URLs are long; on a phone all. */
const WIDE = 'sm:col-span-2 max-sm:col-span-full';

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { eventId, incomingEventId, endpointId, sourceId, targetUrl } = delivery;
  const base = useProjectPath('');
  return (
    <Card>
      <StatList>
        {eventId === null ? null : (
          <Stat label="Event">
            <Link href={`${base}events/${eventId}`} className={LINK}>
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
            <Link href={`${base}incoming-events/${incomingEventId}`} className={LINK}>
              {shortId(incomingEventId)}
            </Link>
          </Stat>
        )}
        {endpointId === null ? null : (
          <Stat label="Endpoint" className={WIDE}>
            <Link href={`${base}endpoints/${endpointId}`} className={LINK}>
              <TargetUrl url={targetUrl} />
            </Link>
          </Stat>
        )}
        {sourceId === null ? null : (
          <Stat label="Destination" className={WIDE}>
            <Link href={`${base}sources/${sourceId}`} className={LINK}>
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
