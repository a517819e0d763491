import { StatusDot } from '@/components/ui/badge';
import type { EventDetail } from '@/lib/delivery/schema';

/** Says in place of deliveries how far they are made. */
export function NoDeliveries({ event: { fanOutStatus } }: { event: EventDetail }) {
  return (
    <div className="rounded-lg border border-dashed px-4 py-6 text-center text-muted text-sm">
      {fanOutStatus === 'PENDING' ? (
        <p role="status" className="inline-flex items-center gap-2">
          <StatusDot tone="accent" live /> Queued: its deliveries aren’t created yet.
        </p>
      ) : fanOutStatus === 'DEAD' ? (
        <p>The service couldn’t create the deliveries. Give the operator the event’s ID.</p>
      ) : (
        <p>The event went to no endpoint. The reasons are below.</p>
      )}
    </div>
  );
}
