'use client';

import { CircleCheck, CircleSlash, RotateCw, X } from 'lucide-react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { formatCount } from '@/components/overview/format-figures';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import { Progress } from '@/components/ui/progress';
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
  const { pending, error, run } = useAsyncAction();
  const { status, retried, total } = bulkRetry;
  const { icon: Icon, word, className } = LOOK[status];
  const isRunning = status === 'RUNNING';
  const rate = isRunning ? rateOf(bulkRetry, new Date()) : undefined;
  const skipped = describeSkipped(bulkRetry);
  return (
    <section aria-label="Bulk retry" className="mb-4 grid gap-2.5 rounded-lg border bg-surface px-4 py-3 shadow-raised">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 items-center gap-2.5 text-sm">
          <Icon aria-hidden="true" className={`size-4 shrink-0 ${className}`} />
          <span className="min-w-0">
            <span role="status" className="font-medium">
              {word}
            </span>{' '}
            <span className="tabular-nums">
              {formatCount(retried)} of {describeDeliveries(total)}
              {rate === undefined ? '' : `, ${formatCount(rate)} per second`}
            </span>
          </span>
        </p>
        {isRunning ? (
          <Button size="sm" loading={pending} disabledReason={disabledReason} onClick={() => void run(cancel)}>
            Cancel retry
          </Button>
        ) : (
          <Button size="iconSm" variant="ghost" aria-label="Close" onClick={onClose}>
            <X aria-hidden="true" />
          </Button>
        )}
      </div>
      <Progress label="Deliveries retried" percent={percentOf(bulkRetry)} />
      {skipped === undefined ? null : <p className="text-muted text-sm">{skipped}</p>}
      <InlineError what="We couldn’t cancel the bulk retry" error={error} />
    </section>
  );
}
