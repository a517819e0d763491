'use client';

import { DeliveryCard } from '@/components/deliveries/delivery-card';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import type { IncomingEvent } from '@/lib/incoming/schema';
import type { useForwards } from './use-forwards';

/** The deliveries of an incoming event to its destinations, with their attempts. */
export function Forwards({
  projectId,
  event,
  forwards: { forwards, error, reload },
}: {
  projectId: string;
  event: Pick<IncomingEvent, 'sourceId' | 'verified'>;
  forwards: ReturnType<typeof useForwards>;
}) {
  return (
    <section aria-labelledby="forwards" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="forwards" className="mt-2 font-semibold text-base">
        Deliveries
      </h2>
      {forwards === undefined && error ? (
        <ErrorPanel what="We couldn’t load the deliveries" error={error} onRetry={() => void reload()} />
      ) : null}
      {forwards === undefined && !error ? <Skeleton className="h-16 w-full" /> : null}
      {forwards?.length === 0 ? (
        <div className="rounded-lg border border-dashed px-4 py-6 text-center text-muted text-sm">
          {event.verified === false ? (
            'Unverified events are never forwarded.'
          ) : (
            <>
              The source had no enabled destination when this event arrived.{' '}
              <Link
                href={`/projects/${projectId}/sources/${event.sourceId}`}
                className="font-medium text-accent-text underline"
              >
                View destinations
              </Link>
            </>
          )}
        </div>
      ) : null}
      {forwards?.map((delivery) => (
        <DeliveryCard key={delivery.id} projectId={projectId} delivery={delivery} onChanged={() => void reload()} />
      ))}
    </section>
  );
}
