'use client';

import { CircleCheck, CircleSlash, CircleX, History } from 'lucide-react';
import { AllJobsLink } from '@/components/jobs/all-jobs-link';
import { JobFailure } from '@/components/jobs/job-failure';
import { useDisabledReason } from '@/components/projects/use-projects';
import { formatCount } from '@/components/ui/format-figures';
import { JobCard } from '@/components/ui/job-card';
import type { EventReplay } from '@/lib/delivery/schema';
import { describeEvents, describeSkipped, percentOf } from './describe-event-replay';

const LOOK = {
  RUNNING: { icon: History, word: 'Replaying events', className: 'text-accent-text' },
  COMPLETED: { icon: CircleCheck, word: 'Events replayed', className: 'text-success-text' },
  CANCELED: { icon: CircleSlash, word: 'Replay canceled', className: 'text-muted' },
  FAILED: { icon: CircleX, word: 'Replay failed', className: 'text-danger-text' },
} as const;

/** How far an event replay is, and what it has skipped. */
export function EventReplayProgress({
  eventReplay,
  cancel,
  onClose,
}: {
  eventReplay: EventReplay;
  cancel: () => Promise<unknown>;
  onClose: () => void;
}) {
  const disabledReason = useDisabledReason('delivery.retry');
  const { status, checked, total, sent } = eventReplay;
  const skipped = describeSkipped(eventReplay);
  return (
    <JobCard
      label="Event replay"
      look={LOOK[status]}
      progress={{
        label: 'Events checked',
        percent: percentOf(eventReplay),
        tone: status === 'FAILED' ? 'danger' : 'accent',
      }}
      isRunning={status === 'RUNNING'}
      cancel={{ label: 'Cancel replay', failure: 'We couldn’t cancel the event replay', run: cancel, disabledReason }}
      onClose={onClose}
      actions={<AllJobsLink />}
      note={
        <>
          {skipped === undefined ? null : <p className="text-muted text-sm">{skipped}</p>}
          <JobFailure job={eventReplay} />
        </>
      }
    >
      <span className="tabular-nums">
        {formatCount(sent)} sent, {formatCount(checked)} of {describeEvents(total)} checked
      </span>
    </JobCard>
  );
}
