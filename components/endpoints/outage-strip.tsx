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
import { describeOutage, describeProgress, describeWaiting, sendingOf, sendingOfWaiting } from './describe-outage';
import type { SentFilter } from './send-outage-form';
import { type EndpointActions, useOutages } from './use-endpoints';

const SendOutageForm = dynamic(() => import('./send-outage-form').then((part) => part.SendOutageForm));

/** Outages that are shown before the button for the rest. */
const SHOWN = 2;

/** Loads the outages of an endpoint and what waits, each with the bulk retry that sends its deliveries. */
export function useEndpointOutages(endpointId: string) {
  const { bulkRetries = [] } = useBulkRetries();
  const [sendsAny, setSendsAny] = useState(false);
  const { list, error, reload } = useOutages(endpointId, sendsAny);
  const rows = list?.data.map((outage) => ({ outage, sending: sendingOf(endpointId, outage, bulkRetries) }));
  const waiting = list && { ...list.waiting, sending: sendingOfWaiting(endpointId, bulkRetries) };
  const isSending =
    rows?.some(({ outage, sending }) => isUnderWay(outage.undelivered, sending)) ||
    (waiting !== undefined && isUnderWay(waiting.count, waiting.sending));
  if ((isSending ?? false) !== sendsAny) setSendsAny(isSending ?? false);
  return { rows, waiting, error, reload };
}

type Outages = ReturnType<typeof useEndpointOutages>;
type OutageRow = NonNullable<Outages['rows']>[number];

/** Deliveries that were made due take some time to arrive, or to fail again. */
const SETTLING_MS = 2 * 60_000;

function isUnderWay(left: number, sending: OutageRow['sending']): boolean {
  if (sending === undefined || sending.status === 'CANCELED') return false;
  if (sending.completedAt === null) return true;
  return left > 0 && Date.now() - Date.parse(sending.completedAt) < SETTLING_MS;
}

interface StripProps {
  endpoint: Endpoint;
  update: EndpointActions['update'];
  onStarted: () => unknown;
}

/**
 * When an endpoint was down, what has not arrived since, and a button that sends it. What waits and is of no outage has a line of its own.
 * Renders nothing when there is neither.
 */
export function OutageStrip({ outages: { rows = [], waiting }, ...rest }: StripProps & { outages: Outages }) {
  const [showsAll, setShowsAll] = useState(false);
  const waits = waiting !== undefined && waiting.outsideOutages > 0;
  if (rows.length === 0 && !waits) return null;
  const shown = rows.filter(({ outage }, place) => showsAll || place < SHOWN || outage.nextAttemptAt !== null);
  return (
    <section aria-label="Outages" className="min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised">
      <ul className="divide-y">
        {waits ? (
          <StripLine
            {...rest}
            tone="warning"
            what={describeWaiting(waiting, new Date())}
            filter={{ status: 'RETRYING' }}
            isRunning={waiting.sending?.status === 'RUNNING'}
            title="Send what waits"
            description="Deliveries to this endpoint that wait for another attempt are sent now, oldest first, at most 200 per second."
          />
        ) : null}
        {shown.map((row) => (
          <OutageItem key={row.outage.from} row={row} {...rest} />
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

function OutageItem({ row: { outage, sending }, ...rest }: StripProps & { row: OutageRow }) {
  const { from, to, undelivered } = outage;
  const now = new Date();
  const when = describeOutage(outage, now);
  return (
    <StripLine
      {...rest}
      tone={to === null ? 'danger' : undelivered > 0 ? 'warning' : 'success'}
      what={when}
      progress={describeProgress(outage, sending, now)}
      filter={undelivered === 0 ? null : { status: 'UNDELIVERED', from, ...(to === null ? {} : { to }) }}
      isRunning={sending?.status === 'RUNNING'}
      title="Send what the outage kept back"
      description={`${when}. Deliveries of events of that time that failed or wait for another attempt are sent again, oldest first, at most 200 per second.`}
    />
  );
}

const TONES = { danger: 'text-danger-text', warning: 'text-warning-text', success: 'text-success-text' };

/** A line that says what is the matter, with a button for the deliveries that `filter` selects. */
function StripLine({
  endpoint,
  update,
  onStarted,
  tone,
  what,
  progress,
  filter,
  isRunning,
  title,
  description,
}: StripProps & {
  tone: keyof typeof TONES;
  what: string;
  progress?: string;
  filter: SentFilter | null;
  isRunning: boolean;
  title: string;
  description: string;
}) {
  const disabledReason = useDisabledReason('delivery.retry');
  const [asking, setAsking] = useState(false);
  const Icon = tone === 'success' ? CircleCheck : TriangleAlert;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 text-sm">
      <Icon aria-hidden="true" className={cn('size-4 shrink-0', TONES[tone])} />
      <p role="status" className="min-w-0 flex-1 basis-52">
        <span className="font-medium">{what}</span>
        {progress === undefined ? null : (
          <>
            , <span className="tabular-nums">{progress}</span>
          </>
        )}
      </p>
      {filter === null ? null : (
        <>
          <Button
            size="sm"
            loading={isRunning}
            disabledReason={disabledReason}
            aria-label={`Send now: ${what}`}
            onClick={() => setAsking(true)}
          >
            <Send aria-hidden="true" />
            Send now
          </Button>
          <Dialog open={asking} onOpenChange={setAsking} title={title} description={description}>
            <SendOutageForm
              endpoint={endpoint}
              filter={filter}
              update={update}
              onStarted={() => {
                setAsking(false);
                void onStarted();
              }}
            />
          </Dialog>
        </>
      )}
    </li>
  );
}
