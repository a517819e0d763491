'use client';

import { History } from 'lucide-react';
import { useState } from 'react';
import { useDestinations } from '@/components/destinations/use-destinations';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { CreateReplayBody, IncomingEvent, Replay, Source } from '@/lib/incoming/schema';
import { describeMatching } from './describe-matching';
import { replayDisabledReason, replayFilterReason } from './replay-disabled-reason';
import { ReplayTargetForm } from './replay-target-form';
import type { ReplayPeriod } from './use-replays';

/** Forwards every event that matches the filters again, after a confirmation. */
export function ReplayMatching({
  projectId,
  filters,
  source,
  rows,
  hasMore,
  start,
}: {
  projectId: string;
  filters: Partial<Record<'sourceId' | 'verified' | 'from' | 'to' | 'id', string | undefined>>;
  /** The chosen source. */
  source: Source | undefined;
  rows: IncomingEvent[] | undefined;
  hasMore: boolean;
  start: (body: Pick<CreateReplayBody, 'sourceId' | 'destinationId'> & ReplayPeriod) => Promise<Replay>;
}) {
  const roleReason = useDisabledReason(projectId, 'incoming_event.replay');
  const { destinations } = useDestinations(projectId, source?.id);
  const [asking, setAsking] = useState(false);
  const { sourceId, from, to } = filters;
  const count = rows?.filter(({ verified }) => verified !== false).length ?? 0;
  const matching = describeMatching(count, hasMore);
  const nothing = rows !== undefined && count === 0 ? 'None of the matching events can be forwarded.' : undefined;
  const reason = roleReason ?? replayFilterReason(filters) ?? replayDisabledReason(destinations) ?? nothing;
  return (
    <>
      <Button disabledReason={reason} onClick={() => setAsking(true)}>
        <History aria-hidden="true" />
        {reason === undefined ? `Replay ${matching}` : 'Replay matching'}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={`Replay ${matching}?`}>
        <ReplayTargetForm
          text={
            <>
              We forward every event from <strong className="font-medium">{source?.name}</strong>{' '}
              {from === undefined && to === undefined ? 'that is still stored' : 'in the selected time range'} again,
              oldest first. Unverified events are skipped.
            </>
          }
          destinations={destinations ?? []}
          submitLabel="Start replay"
          send={async (destinationId) => {
            if (sourceId === undefined) return;
            await start({ sourceId, destinationId, from, to });
            setAsking(false);
          }}
        />
      </Dialog>
    </>
  );
}
