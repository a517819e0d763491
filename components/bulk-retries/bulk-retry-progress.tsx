'use client';

import { CircleCheck, CircleSlash, RotateCw } from 'lucide-react';
import { formatCount } from '@/components/overview/format-figures';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { JobCard } from '@/components/ui/job-card';
import type { BulkRetry } from '@/lib/delivery/schema';
import { describeDeliveries, describeSkipped, percentOf, rateOf } from './describe-bulk-retry';

const LOOK = {
  RUNNING: { icon: RotateCw, word: 'Retrying', className: 'text-accent-text' },
  COMPLETED: { icon: CircleCheck, word: 'Retried', className: 'text-success-text' },
  CANCELED: { icon: CircleSlash, word: 'Retry canceled after', className: 'text-muted' },
} as const;

/** The progress of a bulk retry, with a button that cancels it, or hides this once it has ended. */
export function BulkRetryProgress({
  projectId,
  bulkRetry,
  cancel,
  onClose,
}: {
  projectId: string;
  bulkRetry: BulkRetry;
  cancel: () => Promise<unknown>;
  onClose: () => void;
}) {
  const disabledReason = useDisabledReason(projectId, 'delivery.retry');
  const { status, retried, total } = bulkRetry;
  const isRunning = status === 'RUNNING';
  const rate = isRunning ? rateOf(bulkRetry, new Date()) : undefined;
  const skipped = describeSkipped(bulkRetry);
  return (
    <JobCard
      label="Bulk retry"
      look={LOOK[status]}
      progress={{ label: 'Deliveries retried', percent: percentOf(bulkRetry) }}
      isRunning={isRunning}
      cancel={{ label: 'Cancel retry', failure: 'We couldn’t cancel the bulk retry', run: cancel, disabledReason }}
      onClose={onClose}
      note={skipped === undefined ? null : <p className="text-muted text-sm">{skipped}</p>}
    >
      <span className="tabular-nums">
        {formatCount(retried)} of {describeDeliveries(total)}
        {rate === undefined ? '' : `, ${formatCount(rate)} per second`}
      </span>
    </JobCard>
  );
}
