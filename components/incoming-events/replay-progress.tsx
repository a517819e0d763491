'use client';

import { CircleCheck, CircleSlash, CircleX, History, X } from 'lucide-react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { Progress } from '@/components/ui/progress';
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
  const { pending, error, run } = useAsyncAction();
  const { icon: Icon, word, className } = LOOK[replay.status];
  const isRunning = replay.status === 'RUNNING';
  const of = (count: number) => count.toLocaleString('en-GB');
  return (
    <section aria-label="Replay" className="mb-4 grid gap-2.5 rounded-lg border bg-surface px-4 py-3 shadow-raised">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 items-center gap-2.5 text-sm">
          <Icon aria-hidden="true" className={`size-4 shrink-0 ${className}`} />
          <span className="min-w-0">
            <span role="status" className="font-medium">
              {word}
            </span>{' '}
            <span className="tabular-nums">
              {of(replay.replayed)} of {of(replay.total)}
            </span>{' '}
            {replay.total === 1 ? 'event' : 'events'}
            {sourceName === undefined ? '' : ` from ${sourceName}`}
          </span>
        </p>
        <span className="flex items-center gap-2">
          <Button asChild size="sm" variant="ghost">
            <Link
              href={`/projects/${projectId}/deliveries${replay.destinationId ? `?destinationId=${replay.destinationId}` : ''}`}
            >
              View deliveries
            </Link>
          </Button>
          {isRunning ? (
            <Button size="sm" loading={pending} disabledReason={disabledReason} onClick={() => void run(cancel)}>
              Cancel replay
            </Button>
          ) : (
            <Button size="iconSm" variant="ghost" aria-label="Close" onClick={onClose}>
              <X aria-hidden="true" />
            </Button>
          )}
        </span>
      </div>
      <Progress
        label="Events replayed"
        percent={percentOf(replay)}
        tone={replay.status === 'FAILED' ? 'danger' : 'accent'}
      />
      {replay.error === null ? null : <p className="text-danger-text text-sm">{replay.error}</p>}
      <InlineError what="We couldn’t cancel the replay" error={error} />
    </section>
  );
}
