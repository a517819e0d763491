'use client';

import { CircleCheck, Send, TriangleAlert } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useBulkRetries } from '@/components/bulk-retries/use-bulk-retries';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Dialog } from '@/components/ui/dialog';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Outage } from '@/lib/stats/schema';
import { describeOutage, describeProgress, sendingOf } from './describe-outage';
import { type EndpointActions, useOutages } from './use-endpoints';

const SendOutageForm = dynamic(() => import('./send-outage-form').then((part) => part.SendOutageForm));

/** Outages that are shown before the button for the rest. */
const SHOWN = 2;

/** Loads the outages of an endpoint, each with the bulk retry that sends its deliveries. */
export function useEndpointOutages(endpointId: string) {
  const { bulkRetries = [] } = useBulkRetries();
  const [sendsAny, setSendsAny] = useState(false);
  const { outages, error, reload } = useOutages(endpointId, sendsAny);
  const rows = outages?.map((outage) => ({ outage, sending: sendingOf(endpointId, outage, bulkRetries) }));
  const isSending = rows?.some(({ outage, sending }) => isUnderWay(outage, sending)) ?? false;
  if (isSending !== sendsAny) setSendsAny(isSending);
  return { rows, error, reload };
}

type OutageRow = NonNullable<ReturnType<typeof useEndpointOutages>['rows']>[number];

/** Deliveries that were made due take some time to arrive, or to fail again. */
const SETTLING_MS = 2 * 60_000;

function isUnderWay({ undelivered }: Outage, sending: OutageRow['sending']): boolean {
  if (sending === undefined || sending.status === 'CANCELED') return false;
  if (sending.completedAt === null) return true;
  return undelivered > 0 && Date.now() - Date.parse(sending.completedAt) < SETTLING_MS;
}

/** When an endpoint was down, what has not arrived since, and a button that sends it. Renders nothing without an outage. */
export function OutageStrip({
  endpoint,
  rows,
  update,
  onStarted,
}: {
  endpoint: Endpoint;
  rows: readonly OutageRow[];
  update: EndpointActions['update'];
  onStarted: () => unknown;
}) {
  const [showsAll, setShowsAll] = useState(false);
  if (rows.length === 0) return null;
  const shown = showsAll ? rows : rows.slice(0, SHOWN);
  return (
    <section aria-label="Outages" className="min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised">
      <ul className="divide-y">
        {shown.map((row) => (
          <OutageItem key={row.outage.from} endpoint={endpoint} row={row} update={update} onStarted={onStarted} />
        ))}
      </ul>
      {shown.length < rows.length ? (
        <div className="border-t px-4 py-1.5">
          <Button size="sm" variant="ghost" onClick={() => setShowsAll(true)}>
            Show {rows.length - shown.length} earlier
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function OutageItem({
  endpoint,
  row: { outage, sending },
  update,
  onStarted,
}: {
  endpoint: Endpoint;
  row: OutageRow;
  update: EndpointActions['update'];
  onStarted: () => unknown;
}) {
  const disabledReason = useDisabledReason('delivery.retry');
  const [asking, setAsking] = useState(false);
  const { undelivered, to } = outage;
  const isOpen = to === null || undelivered > 0;
  const Icon = isOpen ? TriangleAlert : CircleCheck;
  const when = describeOutage(outage, new Date());
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 text-sm">
      <Icon
        aria-hidden="true"
        className={cn(
          'size-4 shrink-0',
          to === null ? 'text-danger-text' : isOpen ? 'text-warning-text' : 'text-success-text',
        )}
      />
      <p role="status" className="min-w-0 flex-1 basis-52">
        <span className="font-medium">{when}</span>,{' '}
        <span className="tabular-nums">{describeProgress(outage, sending)}</span>
      </p>
      {undelivered === 0 ? null : (
        <Button
          size="sm"
          loading={sending?.status === 'RUNNING'}
          disabledReason={disabledReason}
          aria-label={`Send now: ${when}`}
          onClick={() => setAsking(true)}
        >
          <Send aria-hidden="true" />
          Send now
        </Button>
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Send what the outage kept back"
        description={`${when}. Deliveries of events of that time that failed or wait for another attempt are sent again, oldest first, at most 200 per second.`}
      >
        <SendOutageForm
          endpoint={endpoint}
          outage={outage}
          update={update}
          onStarted={() => {
            setAsking(false);
            void onStarted();
          }}
        />
      </Dialog>
    </li>
  );
}
