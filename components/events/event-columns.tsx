'use client';

import { CustomerName } from '@/components/customers/customer-link';
import { columnsOf } from '@/components/data-table/column-helper';
import { FoundText } from '@/components/data-table/search-match';
import { DELIVERY_STATE_STYLES } from '@/components/deliveries/delivery-state';
import { CopyableId } from '@/components/ui/copyable-id';
import { RelativeTime } from '@/components/ui/relative-time';
import { TypeName } from '@/components/ui/stat';
import { DELIVERY_STATE_LABELS, DELIVERY_STATES, type DeliveryState } from '@/lib/events/delivery-state-policy';
import type { EventListItem } from '@/lib/events/schema';
import { Browser } from './sender';

const COUNTS = {
  QUEUED: 'queued',
  RETRYING: 'retrying',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
} as const satisfies Record<DeliveryState, keyof EventListItem['deliveries']>;

const eventColumns = (showsCustomer: boolean) =>
  columnsOf<EventListItem>([
    {
      header: 'Type',
      primary: true,
      className: 'min-w-0 max-sm:pr-24',
      cell: (event) => (
        <div className="min-w-0">
          <TypeName>{event.type}</TypeName>
          <FoundText match={event.match} />
          {event.customerId === null || !showsCustomer ? null : (
            <span className="mt-0.5 flex min-w-0 items-center gap-1.5 font-normal text-muted">
              <CustomerName of={event} />
            </span>
          )}
        </div>
      ),
    },
    { header: 'Deliveries', unlabelled: true, cell: (event) => <DeliveryCounts {...event} /> },
    {
      header: 'ID',
      className: 'max-sm:hidden',
      cell: ({ id }) => <CopyableId id={id} label="Copy event ID" short className="relative z-10 text-muted" />,
    },
    {
      header: 'Sent from',
      className: 'max-sm:hidden',
      cell: ({ apiKeyId, clientAddress }) =>
        clientAddress === null ? (
          apiKeyId === null ? null : (
            <Browser />
          )
        ) : (
          <span className="font-mono text-muted text-xs">{clientAddress}</span>
        ),
    },
    {
      header: 'Received',
      align: 'end',
      unlabelled: true,
      className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow className="text-muted" />,
    },
  ]);

/** The columns of a list of events. */
export const EVENT_COLUMNS = eventColumns(true);

/** Those of the events of one customer. */
export const CUSTOMER_EVENT_COLUMNS = eventColumns(false);

/** Counts the deliveries of an event by state. It is queued until they are made. */
function DeliveryCounts({ deliveries, fanOutStatus }: Pick<EventListItem, 'deliveries' | 'fanOutStatus'>) {
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
