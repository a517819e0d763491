'use client';

import { Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { describeMoment } from '@/components/endpoints/describe-outage';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';
import { describePreview } from './describe-event-replay';
import { useEventReplayPreview, useEventReplays } from './use-event-replays';

/** What an endpoint may have missed: the events since it was turned off, or those before it was created. */
export interface Missed {
  from: string;
  isNew: boolean;
}

/** Says how many events were not sent to an endpoint that has just been enabled or created, and offers to send them. */
export function MissedEvents({
  endpointId,
  missed: { from, isNew },
  onDone,
}: {
  endpointId: string;
  missed: Missed;
  onDone: () => void;
}) {
  const disabledReason = useDisabledReason('delivery.retry');
  const { start } = useEventReplays();
  const { preview, error, recount } = useEventReplayPreview({ endpointId, from });
  const sending = useAsyncAction();
  const [now] = useState(() => new Date());
  const since = isNew ? 'in the last 24 hours' : `since ${describeMoment(new Date(from), now)}`;
  if (error && preview === undefined) {
    return (
      <Callout tone="warning" role="status" className="mb-4">
        <InlineError what="We couldn’t count the events that were not sent" error={error} />
        <Choices>
          <Button size="sm" onClick={() => void recount()}>
            Count again
          </Button>
          <Button size="sm" variant="ghost" onClick={onDone}>
            Close
          </Button>
        </Choices>
      </Callout>
    );
  }
  if (preview === undefined) {
    if (isNew) return null;
    return (
      <Callout tone="accent" role="status" className="mb-4">
        Counting the events that were not sent {since}…
      </Callout>
    );
  }
  if (preview.count === 0 && preview.isExact) {
    if (isNew) return null;
    return (
      <Callout tone="success" role="status" className="mb-4">
        It missed no event {since}.
      </Callout>
    );
  }
  const events = describePreview(preview);
  return (
    <Callout tone="accent" role="status" className="mb-4">
      <p className="font-medium">
        {isNew
          ? `${events} ${since} match this endpoint. Send them?`
          : `${events} ${since} ${preview.count === 1 && preview.isExact ? 'was' : 'were'} not sent. Send them?`}
      </p>
      <p>Oldest first, at most 200 per second. New events don’t wait.</p>
      <Choices>
        <Button
          size="sm"
          variant="primary"
          loading={sending.pending}
          disabledReason={disabledReason}
          onClick={() => void sending.run(() => start({ endpointId, from }).then(onDone))}
        >
          <Send aria-hidden="true" />
          Send {events}
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Not now
        </Button>
      </Choices>
      <InlineError what="We couldn’t send the events" error={sending.error} className="mt-2" />
    </Callout>
  );
}

function Choices({ children }: { children: ReactNode }) {
  return <div className="mt-2 flex flex-wrap gap-2">{children}</div>;
}
