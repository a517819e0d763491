'use client';

import { CircleCheck, CircleSlash, CircleX, History } from 'lucide-react';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { JobCard } from '@/components/ui/job-card';
import { Link } from '@/components/ui/link';
import type { Replay } from '@/lib/incoming/schema';
import { percentOf } from './describe-matching';

const LOOK = {
  RUNNING: { icon: History, word: 'Replaying', className: 'text-accent-text' },
  COMPLETED: { icon: CircleCheck, word: 'Replayed', className: 'text-success-text' },
  CANCELED: { icon: CircleSlash, word: 'Replay canceled after', className: 'text-muted' },
  FAILED: { icon: CircleX, word: 'Replay failed after', className: 'text-danger-text' },
} as const;

/** The progress of a replay, with a button that cancels it, or hides this once it has ended. */
export function ReplayProgress({
  projectId,
  replay,
  sourceName,
  cancel,
  onClose,
}: {
  projectId: string;
  replay: Replay;
  sourceName: string | undefined;
  cancel: () => Promise<unknown>;
  onClose: () => void;
}) {
  const disabledReason = useDisabledReason(projectId, 'incoming_event.replay');
  const { status, replayed, total, destinationId, error } = replay;
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
        <Button asChild size="sm" variant="ghost">
          <Link
            href={`/projects/${projectId}/deliveries${destinationId === null ? '' : `?destinationId=${destinationId}`}`}
          >
            View deliveries
          </Link>
        </Button>
      }
      note={error === null ? null : <p className="text-danger-text text-sm">{error}</p>}
    >
      <span className="tabular-nums">
        {of(replayed)} of {of(total)}
      </span>{' '}
      {total === 1 ? 'event' : 'events'}
      {sourceName === undefined ? '' : ` from ${sourceName}`}
    </JobCard>
  );
}
