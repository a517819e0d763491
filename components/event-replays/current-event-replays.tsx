'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useEventReplays } from './use-event-replays';

const EventReplayProgress = dynamic(() => import('./event-replay-progress').then((part) => part.EventReplayProgress), {
  loading: () => null,
});

/** The running event replays to an endpoint, and those that ended while the page was open, until they are closed. */
export function CurrentEventReplays({ endpointId }: { endpointId: string }) {
  const { eventReplays, cancel } = useEventReplays();
  /** Those that had ended before, and those that were closed. */
  const [hidden, setHidden] = useState<ReadonlySet<string>>();
  if (eventReplays === undefined) return null;
  if (hidden === undefined) {
    setHidden(new Set(eventReplays.filter(({ status }) => status !== 'RUNNING').map(({ id }) => id)));
    return null;
  }
  return eventReplays
    .filter((each) => each.endpointId === endpointId && !hidden.has(each.id))
    .map((each) => (
      <EventReplayProgress
        key={each.id}
        eventReplay={each}
        cancel={() => cancel(each.id)}
        onClose={() => setHidden(new Set([...hidden, each.id]))}
      />
    ));
}
