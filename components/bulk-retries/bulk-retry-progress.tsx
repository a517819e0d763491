'use client';

import { CircleCheck, CircleSlash, CircleX, RotateCw, TriangleAlert } from 'lucide-react';
import { AllJobsLink } from '@/components/jobs/all-jobs-link';
import { JobFailure } from '@/components/jobs/job-failure';
import { useDisabledReason } from '@/components/projects/use-projects';
import { formatCount } from '@/components/ui/format-figures';
import { JobCard } from '@/components/ui/job-card';
import type { BulkRetry } from '@/lib/delivery/schema';
import { describeDeliveries, describeSkipped, percentOf, rateOf } from './describe-bulk-retry';

const LOOK = {
  RUNNING: { icon: RotateCw, word: 'Retrying', className: 'text-accent-text' },
  COMPLETED: { icon: CircleCheck, word: 'Retried', className: 'text-success-text' },
  CANCELED: { icon: CircleSlash, word: 'Retry canceled after', className: 'text-muted' },
  FAILED: { icon: CircleX, word: 'Retry failed after', className: 'text-danger-text' },
  PARTIAL: { icon: TriangleAlert, word: 'Retried', className: 'text-warning-text' },
} as const;

/** Shows how far a bulk retry is, and cancels it. */
export function BulkRetryProgress({
  bulkRetry,
  cancel,
  onClose,
}: {
  bulkRetry: BulkRetry;
  cancel: () => Promise<unknown>;
  onClose: () => void;
}) {
  const disabledReason = useDisabledReason('delivery.retry');
  const { status, retried, total } = bulkRetry;
  const isRunning = status === 'RUNNING';
  const rate = isRunning ? rateOf(bulkRetry, new Date()) : undefined;
  const skipped = describeSkipped(bulkRetry);
  return (
    <JobCard
      label="Bulk retry"
      look={LOOK[status === 'COMPLETED' && retried < total ? 'PARTIAL' : status]}
      progress={{
        label: 'Deliveries retried',
        percent: percentOf(bulkRetry),
        tone: status === 'FAILED' ? 'danger' : 'accent',
      }}
      isRunning={isRunning}
      cancel={{ label: 'Cancel retry', failure: 'We couldn’t cancel the bulk retry', run: cancel, disabledReason }}
      onClose={onClose}
      actions={<AllJobsLink />}
      note={
        <>
          {skipped === undefined ? null : <p className="text-muted text-sm">{skipped}</p>}
          <JobFailure job={bulkRetry} />
        </>
      }
    >
      <span className="tabular-nums">
        {formatCount(retried)} of {describeDeliveries(total)}
        {rate === undefined ? '' : `, ${formatCount(rate)} per second`}
      </span>
    </JobCard>
  );
}
