'use client';

import { CircleCheck, CircleSlash, CircleX, History } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import { useDestinations } from '@/components/destinations/use-destinations';
import { AllJobsLink } from '@/components/jobs/all-jobs-link';
import { JobFailure } from '@/components/jobs/job-failure';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { useSourceNames } from '@/components/sources/use-sources';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { JobCard } from '@/components/ui/job-card';
import { Link } from '@/components/ui/link';
import { toast } from '@/components/ui/toast';
import type {
  CreateReplayBody,
  Destination,
  IncomingEvent,
  Replay,
  ReplayedIncomingEvent,
} from '@/lib/incoming/schema';

const ReplayTargetForm = dynamic(() => import('./replay-target-form').then((part) => part.ReplayTargetForm));

/** Forwards an incoming event again. */
export function ReplayButton({
  event,
  onReplayed,
}: {
  event: Pick<IncomingEvent, 'id' | 'sourceId' | 'verified'>;
  onReplayed: () => unknown;
}) {
  const path = useProjectPath(`incoming-events/${event.id}/replay`);
  const { rows: sources, find } = useSourceNames();
  const source = find(event.sourceId);
  const roleReason = useDisabledReason('incoming_event.replay');
  const { destinations } = useDestinations(source?.id);
  const [asking, setAsking] = useState(false);
  const unverified = event.verified === false ? 'Unverified events are never forwarded.' : undefined;
  const isDeleted = sources !== undefined && source === undefined;
  const deleted = isDeleted ? 'The source and its destinations were deleted.' : undefined;
  const replay = async (destinationId: string | undefined) => {
    const body = destinationId === undefined ? {} : { destinationId };
    const { deliveryIds } = await apiFetch<ReplayedIncomingEvent>(path, { method: 'POST', body });
    setAsking(false);
    toast.success(
      deliveryIds.length === 1 ? 'Replaying the event.' : `Replaying the event to ${deliveryIds.length} destinations.`,
    );
    onReplayed();
  };
  return (
    <>
      <Button
        variant="primary"
        disabledReason={roleReason ?? unverified ?? deleted ?? replayDisabledReason(destinations)}
        onClick={() => setAsking(true)}
      >
        <History aria-hidden="true" />
        Replay
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title="Replay this event?">
        <ReplayTargetForm
          text="We forward the event again with its original body and headers. Destinations that already received it get it again with the same ID."
          destinations={destinations ?? []}
          label="Replay event"
          send={replay}
        />
      </Dialog>
    </>
  );
}

/** Forwards every event that matches the filters again, after a confirmation. */
export function ReplayMatching({
  filters,
  rows,
  hasMore,
  start,
}: {
  filters: Partial<Record<'q' | 'eventType' | 'sourceId' | 'verified' | 'from' | 'to', string | undefined>>;
  rows: IncomingEvent[] | undefined;
  hasMore: boolean;
  start: ReturnType<typeof useNewestReplay>['start'];
}) {
  const { sourceId, from, to } = filters;
  const source = useSourceNames().find(sourceId);
  const roleReason = useDisabledReason('incoming_event.replay');
  const { destinations } = useDestinations(source?.id);
  const [asking, setAsking] = useState(false);
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
          label="Start replay"
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

/** Returns why the events of a source cannot be replayed; undefined when they can, and while its destinations are loading. */
export function replayDisabledReason(
  destinations: readonly Pick<Destination, 'enabled'>[] | undefined,
): string | undefined {
  if (destinations === undefined || destinations.some(({ enabled }) => enabled)) return undefined;
  return destinations.length === 0
    ? 'The source has no destinations. Add one on its page first.'
    : 'All destinations of the source are disabled. Enable one first.';
}

/**
 * Returns why the filters prevent a replay of the matching events; undefined when they do not. A replay covers one source,
 * and never events that are not verified.
 */
export function replayFilterReason(filters: {
  sourceId?: string | undefined;
  verified?: string | undefined;
  q?: string | undefined;
  eventType?: string | undefined;
}): string | undefined {
  if (filters.q !== undefined) return 'Open an event to replay it alone, or clear the search.';
  if (filters.eventType !== undefined) return 'A replay covers all types of a source: clear the type.';
  if (filters.sourceId === undefined) return 'Choose a source first. A replay covers one source.';
  return filters.verified === 'false' ? 'Unverified events are never forwarded.' : undefined;
}

const RUNNING_MS = 1000;

/** What to replay; without a time, from the first event or to the last. */
type NewReplay = Pick<CreateReplayBody, 'sourceId' | 'destinationId'> &
  Partial<Record<'from' | 'to', string | undefined>>;

/** Loads the newest replay of the project, polls while it runs, and returns the actions of replays. */
export function useNewestReplay() {
  const path = useProjectPath('incoming-event-replays');
  const swr = useSWR<CursorPage<Replay>>(`${path}?limit=1`, {
    refreshInterval: (page) => (page?.data[0]?.status === 'RUNNING' ? RUNNING_MS : 0),
  });
  const show = (replay: Replay) => swr.mutate({ data: [replay], nextCursor: null });
  return {
    replay: swr.data?.data[0],
    start: async (body: NewReplay) => show(await apiFetch<Replay>(path, { method: 'POST', body })),
    cancel: async (id: string) => show(await apiFetch<Replay>(`${path}/${id}/cancel`, { method: 'POST' })),
  };
}

/** The running replay, or one that ended while the page was open, until it is closed. */
export function CurrentReplay({ replays: { replay, cancel } }: { replays: ReturnType<typeof useNewestReplay> }) {
  const { find } = useSourceNames();
  const [shown, setShown] = useState<string | null>(null);
  const [closed, setClosed] = useState<string | null>(null);
  if (replay?.status === 'RUNNING' && replay.id !== shown) setShown(replay.id);
  if (replay === undefined || replay.id !== shown || replay.id === closed) return null;
  return (
    <ReplayProgress
      replay={replay}
      sourceName={find(replay.sourceId)?.name}
      cancel={() => cancel(replay.id)}
      onClose={() => setClosed(replay.id)}
    />
  );
}

const LOOK = {
  RUNNING: { icon: History, word: 'Replaying', className: 'text-accent-text' },
  COMPLETED: { icon: CircleCheck, word: 'Replayed', className: 'text-success-text' },
  CANCELED: { icon: CircleSlash, word: 'Replay canceled after', className: 'text-muted' },
  FAILED: { icon: CircleX, word: 'Replay failed after', className: 'text-danger-text' },
} as const;

function ReplayProgress({
  replay,
  sourceName,
  cancel,
  onClose,
}: {
  replay: Replay;
  sourceName: string | undefined;
  cancel: () => Promise<unknown>;
  onClose: () => void;
}) {
  const deliveries = useProjectPath('deliveries');
  const disabledReason = useDisabledReason('incoming_event.replay');
  const { status, replayed, total, destinationId } = replay;
  const isFailed = status === 'FAILED';
  const of = (count: number) => count.toLocaleString('en-GB');
  return (
    <JobCard
      label="Replay"
      look={LOOK[status]}
      progress={{ label: 'Events replayed', percent: percentOf(replay), tone: isFailed ? 'danger' : 'accent' }}
      isRunning={status === 'RUNNING'}
      cancel={{ label: 'Cancel replay', failure: 'We couldn’t cancel the replay', run: cancel, disabledReason }}
      onClose={onClose}
      actions={
        <>
          <Button asChild size="sm" variant="ghost">
            <Link href={`${deliveries}${destinationId === null ? '' : `?destinationId=${destinationId}`}`}>
              View deliveries
            </Link>
          </Button>
          <AllJobsLink />
        </>
      }
      note={<JobFailure job={replay} />}
    >
      <span className="tabular-nums">
        {of(replayed)} of {of(total)}
      </span>{' '}
      {total === 1 ? 'event' : 'events'}
      {sourceName === undefined ? '' : ` from ${sourceName}`}
    </JobCard>
  );
}

/** Names the loaded events that a replay covers: "12 matching", or "50+ matching" when there are more. */
export function describeMatching(count: number, hasMore: boolean): string {
  return `${count.toLocaleString('en-GB')}${hasMore ? '+' : ''} matching`;
}

/** Returns the progress of a replay, from 0 to 100. A replay of nothing is complete. */
export function percentOf({ replayed, total }: { replayed: number; total: number }): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((replayed / total) * 100));
}
