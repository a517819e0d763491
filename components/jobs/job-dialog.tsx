'use client';

import { withQuery } from '@/components/data-table/url-filters';
import { SELECTIONS } from '@/components/event-replays/describe-event-replay';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Link } from '@/components/ui/link';
import { Fact } from '@/components/ui/stat';
import type { Job } from '@/lib/jobs/schema';
import { deliveriesQueryOf, describeResult, describeSkippedOf, KINDS } from './describe-job';
import { JobFailure } from './job-failure';
import { JobProgress, JobState, JobTarget } from './job-parts';

/** What a job does, how far it is and what it has skipped, with a button that cancels it. */
export function JobDialog({
  job,
  onClose,
  cancel,
}: {
  /** Undefined while none is shown. */
  job: Job | undefined;
  onClose: () => void;
  cancel: (job: Job) => Promise<unknown>;
}) {
  return (
    <Dialog open={job !== undefined} onOpenChange={onClose} title={job === undefined ? 'Job' : KINDS[job.kind]}>
      {job === undefined ? null : <JobDetails job={job} cancel={() => cancel(job)} />}
    </Dialog>
  );
}

function JobDetails({ job, cancel }: { job: Job; cancel: () => Promise<unknown> }) {
  const deliveries = useProjectPath('deliveries');
  const retryReason = useDisabledReason('delivery.retry');
  const replayReason = useDisabledReason('incoming_event.replay');
  const canceling = useAsyncAction();
  const { status, kind, createdAt, completedAt, eventReplay } = job;
  const skipped = describeSkippedOf(job);
  const period = periodOf(job);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <JobState job={job} />
        <JobProgress job={job} />
      </div>
      <dl className="grid gap-3 text-sm">
        <Fact label={kind === 'INCOMING_EVENT_REPLAY' ? 'Source' : 'To'}>
          <span className="wrap-anywhere">
            <JobTarget job={job} />
          </span>
        </Fact>
        <Fact label="Result">{describeResult(job)}</Fact>
        {eventReplay === null ? null : <Fact label="Sends">{SELECTIONS[eventReplay.select].label} events</Fact>}
        {period === undefined ? null : <Fact label="Events">{period}</Fact>}
        <Fact label="Started">{formatAbsolute(new Date(createdAt))}</Fact>
        <Fact label="Ended">{completedAt === null ? 'Not yet' : formatAbsolute(new Date(completedAt))}</Fact>
      </dl>
      {skipped === undefined ? null : <p className="mt-3 text-muted text-sm">{skipped}</p>}
      <JobFailure job={job} className="mt-3" />
      <p className="mt-3">
        <CopyableId id={job.id} label="Copy job ID" />
      </p>
      <InlineError what="We couldn’t cancel the job" error={canceling.error} className="mt-3" />
      <DialogActions>
        {status === 'RUNNING' ? (
          <Button
            loading={canceling.pending}
            disabledReason={kind === 'INCOMING_EVENT_REPLAY' ? replayReason : retryReason}
            onClick={() => void canceling.run(cancel)}
          >
            Cancel job
          </Button>
        ) : null}
        <Button asChild variant="primary">
          <Link href={withQuery(deliveries, deliveriesQueryOf(job))}>View deliveries</Link>
        </Button>
      </DialogActions>
    </>
  );
}

/** Says of which time the events are; undefined for any. */
function periodOf({ bulkRetry, eventReplay, incomingEventReplay }: Job): string | undefined {
  const { from, to } = bulkRetry?.filter ?? eventReplay ?? incomingEventReplay ?? {};
  const parts = [
    from === undefined || from === null ? undefined : `from ${formatAbsolute(new Date(from))}`,
    to === undefined || to === null ? undefined : `until ${formatAbsolute(new Date(to))}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}
