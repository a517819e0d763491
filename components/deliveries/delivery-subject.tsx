'use client';

import { useParams } from 'next/navigation';
import { useDestinationNames } from '@/components/destinations/use-destination-names';
import { ProviderMark } from '@/components/sources/provider-mark';
import { useSourceNames } from '@/components/sources/use-sources';
import { TypeName } from '@/components/ui/type-name';
import type { Delivery } from '@/lib/delivery/schema';

type Subject = Pick<Delivery, 'eventType' | 'incomingEventId' | 'destinationId'>;

/** What a delivery is about: the type of its event, or the source of its incoming event. */
export function DeliverySubject({ delivery }: { delivery: Subject }) {
  return delivery.incomingEventId === null ? (
    <TypeName>{delivery.eventType ?? 'event'}</TypeName>
  ) : (
    <IncomingSubject incomingEventId={delivery.incomingEventId} destinationId={delivery.destinationId} />
  );
}

/** A delivery names no source, but its destination belongs to one. */
function IncomingSubject({
  incomingEventId,
  destinationId,
}: {
  incomingEventId: string;
  destinationId: string | null;
}) {
  const { projectId } = useParams<{ projectId: string }>();
  const { destinationOf } = useDestinationNames(projectId, true);
  const { sourceOf } = useSourceNames(projectId);
  const source = sourceOf(destinationOf(destinationId)?.sourceId ?? null);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <ProviderMark provider={source?.provider ?? 'NONE'} />
      <span className="truncate">{source?.name ?? 'Incoming event'}</span>
      <code className="font-mono text-muted text-xs">…{incomingEventId.slice(-6)}</code>
    </span>
  );
}
