'use client';

import { CircleCheck, Send, TriangleAlert } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Dialog } from '@/components/ui/dialog';
import { describeOutage, describeProgress, describeWaiting } from './describe-outage';
import type { SentFilter } from './send-outage-form';
import type { Outages, OutageTarget } from './use-outages';

const SendOutageForm = dynamic(() => import('./send-outage-form').then((part) => part.SendOutageForm));

/** Outages that are shown before the button for the rest. */
const SHOWN = 2;

interface StripProps {
  target: OutageTarget;
  onStarted: () => unknown;
}

/**
 * When a target was down, what has not arrived since, and a button that sends it. What waits and is of no outage has a line of its own.
 * Renders nothing when there is neither.
 */
export function OutageStrip({
  label = 'Outages',
  outages,
  ...rest
}: StripProps & {
  /** What it is called where a page has several. */
  label?: string;
  outages: Outages | undefined;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const { rows = [], waiting } = outages ?? {};
  const waits = waiting !== undefined && waiting.outsideOutages > 0;
  if (rows.length === 0 && !waits) return null;
  const shown = rows.filter(({ outage }, place) => showsAll || place < SHOWN || outage.nextAttemptAt !== null);
  return (
    <section aria-label={label} className="min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised">
      <ul className="divide-y">
        {waits ? (
          <StripLine
            {...rest}
            tone="warning"
            what={describeWaiting(waiting, new Date())}
            filter={{ status: 'RETRYING' }}
            isRunning={waiting.sending?.status === 'RUNNING'}
            title="Send what waits"
            description={`Deliveries to this ${rest.target.noun} that wait for another attempt are sent now, oldest first, at most 200 per second.`}
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

function OutageItem({ row: { outage, sending }, ...rest }: StripProps & { row: Outages['rows'][number] }) {
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
  target,
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
              target={target}
              filter={filter}
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
