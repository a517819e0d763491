'use client';

import { useState } from 'react';
import useSWR from 'swr';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';
import { RelativeTime } from '@/components/ui/relative-time';
import type { EventReplayPreview } from '@/lib/delivery/schema';
import type { PortalReplay } from '@/lib/portal/schema';
import { usePortal } from './use-portal';

/** Says how many events were not sent to an endpoint while it was off, and offers to send them. */
export function MissedEvents({ endpointId, since, onDone }: { endpointId: string; since: string; onDone: () => void }) {
  const { fetch } = usePortal();
  const path = `/endpoints/${endpointId}/replays`;
  const { data, error } = useSWR(
    [path, since],
    () => fetch<EventReplayPreview>(path, { method: 'POST', body: { from: since, dryRun: true } }),
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  const sending = useAsyncAction();
  const [isSent, setIsSent] = useState(false);
  const send = async () => {
    await fetch<PortalReplay>(path, { method: 'POST', body: { from: since } });
    setIsSent(true);
  };
  const when = <RelativeTime at={since} />;
  if (isSent) {
    return (
      <Callout tone="success" role="status" className="mt-5">
        The missed events are being sent, oldest first.
      </Callout>
    );
  }
  if (data === undefined) {
    if (!error) return null;
    return <InlineError what="We couldn’t count the events that were not sent" error={error} className="mt-5" />;
  }
  const { count, isExact } = data;
  if (count === 0 && isExact) return null;
  const events = `${count.toLocaleString('en-US')}${isExact ? '' : ' or more'} ${count === 1 && isExact ? 'event' : 'events'}`;
  return (
    <Callout tone="accent" role="status" className="mt-5">
      <p className="font-medium">
        {events} {count === 1 && isExact ? 'was' : 'were'} not sent while this endpoint was off. Send them?
      </p>
      <p>It was turned off {when}.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" loading={sending.pending} onClick={() => void sending.run(send)}>
          Send {events}
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Not now
        </Button>
      </div>
      <InlineError what="We couldn’t send the events" error={sending.error} className="mt-2" />
    </Callout>
  );
}
