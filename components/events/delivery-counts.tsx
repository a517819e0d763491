import { DELIVERY_STATE_STYLES } from '@/components/deliveries/delivery-state-style';
import { DELIVERY_STATE_LABELS, DELIVERY_STATES, type DeliveryState } from '@/lib/events/delivery-state-policy';
import type { EventListItem } from '@/lib/events/schema';

const COUNTS = {
  QUEUED: 'queued',
  RETRYING: 'retrying',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
} as const satisfies Record<DeliveryState, keyof EventListItem['deliveries']>;

/** Counts the deliveries of an event by state. It is queued until they are made. */
export function DeliveryCounts({ deliveries, fanOutStatus }: Pick<EventListItem, 'deliveries' | 'fanOutStatus'>) {
  const present = DELIVERY_STATES.filter((state) => deliveries[COUNTS[state]] > 0);
  if (present.length === 0) return <NoDeliveries fanOutStatus={fanOutStatus} />;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {present.map((state) => {
        const { icon: Icon, text } = DELIVERY_STATE_STYLES[state];
        return (
          <span key={state} className="inline-flex items-center gap-1 whitespace-nowrap">
            <Icon aria-hidden="true" className={`size-3.5 ${text}`} />
            {deliveries[COUNTS[state]]} {DELIVERY_STATE_LABELS[state].toLowerCase()}
          </span>
        );
      })}
    </span>
  );
}

function NoDeliveries({ fanOutStatus }: Pick<EventListItem, 'fanOutStatus'>) {
  if (fanOutStatus === 'COMPLETED') return <span className="text-muted">No matching endpoint</span>;
  const state = fanOutStatus === 'PENDING' ? 'QUEUED' : 'FAILED';
  const { icon: Icon, text } = DELIVERY_STATE_STYLES[state];
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <Icon aria-hidden="true" className={`size-3.5 ${text}`} />
      {DELIVERY_STATE_LABELS[state]}
    </span>
  );
}
