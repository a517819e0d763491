'use client';

import { useParams } from 'next/navigation';
import { ProviderMark } from '@/components/sources/provider-mark';
import { useSourceNames } from '@/components/sources/use-sources';
import { shortId } from '@/components/ui/short-id';
import { TypeName } from '@/components/ui/type-name';
import type { Delivery } from '@/lib/delivery/schema';

type Subject = Pick<Delivery, 'eventType' | 'incomingEventId' | 'sourceId'>;

/** What a delivery is about: the type of its event, or the source of its incoming event. */
export function DeliverySubject({ delivery }: { delivery: Subject }) {
  return delivery.incomingEventId === null ? (
    <TypeName>{delivery.eventType ?? 'event'}</TypeName>
  ) : (
    <IncomingSubject incomingEventId={delivery.incomingEventId} sourceId={delivery.sourceId} />
  );
}

function IncomingSubject({ incomingEventId, sourceId }: { incomingEventId: string; sourceId: string | null }) {
  const { projectId } = useParams<{ projectId: string }>();
  const { sourceOf } = useSourceNames(projectId);
  const source = sourceOf(sourceId);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <ProviderMark provider={source?.provider ?? 'NONE'} />
      <span className="min-w-0 truncate">{source?.name ?? 'Incoming event'}</span>
      <code className="shrink-0 whitespace-nowrap font-mono text-muted text-xs">{shortId(incomingEventId)}</code>
    </span>
  );
}
