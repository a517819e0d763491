'use client';

import { CircleCheck, CircleSlash, RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useDisabledReason } from '@/components/projects/use-projects';
import { formatCount } from '@/components/ui/format-figures';
import { JobCard } from '@/components/ui/job-card';
import type { BulkRetry } from '@/lib/delivery/schema';
import { describeDeliveries, describeSkipped, percentOf, rateOf } from './describe-bulk-retry';
import { useBulkRetries } from './use-bulk-retries';

const LOOK = {
  RUNNING: { icon: RotateCw, word: 'Retrying', className: 'text-accent-text' },
  COMPLETED: { icon: CircleCheck, word: 'Retried', className: 'text-success-text' },
  CANCELED: { icon: CircleSlash, word: 'Retry canceled after', className: 'text-muted' },
  PARTIAL: { icon: TriangleAlert, word: 'Retried', className: 'text-warning-text' },
} as const;

const RECENT_MS = 10 * 60_000;
/** What a bulk retry has made due is sent soon after its end. */
const SETTLING_MS = 2_000;
const CLOSED = 'eds-closed-bulk-retry';

/** The running bulk retries, and the newest one for ten minutes after its end, also after a reload, until it is closed. */
export function CurrentBulkRetries({
  isShown = () => true,
  onEnded,
}: {
  /** Whether those with a filter are shown; by default all are. */
  isShown?: (filter: BulkRetry['filter']) => boolean;
  /** Called when one has ended, and again when most of its deliveries have been sent. */
  onEnded?: () => void;
}) {
  const { bulkRetries, cancel } = useBulkRetries();
  const [closed, setClosed] = useState<string | null>(null);
  useEffect(() => setClosed(sessionStorage.getItem(CLOSED)), []);
  const close = (id: string) => {
    sessionStorage.setItem(CLOSED, id);
    setClosed(id);
  };
  const ours = (bulkRetries ?? []).filter(({ filter }) => isShown(filter));
  const shown = ours.filter(
    (each, index) => each.status === 'RUNNING' || (index === 0 && each.id !== closed && isRecent(each)),
  );
  const running = shown.filter(({ status }) => status === 'RUNNING').length;
  const endedId = shown.find(({ status }) => status !== 'RUNNING')?.id;
  const latest = useRef({ onEnded, running });
  useEffect(() => {
    // Also when a page opens after the end: it may have read its rows before that.
    const hasEnded = endedId !== undefined || running < latest.current.running;
    latest.current.running = running;
    if (!hasEnded) return;
    latest.current.onEnded?.();
    const settled = setTimeout(() => latest.current.onEnded?.(), SETTLING_MS);
    return () => clearTimeout(settled);
  }, [running, endedId]);
  latest.current.onEnded = onEnded;
  return shown.map((each) => (
    <BulkRetryProgress key={each.id} bulkRetry={each} cancel={() => cancel(each.id)} onClose={() => close(each.id)} />
  ));
}

function isRecent({ total, completedAt }: BulkRetry): boolean {
  return total > 0 && completedAt !== null && Date.now() - new Date(completedAt).getTime() < RECENT_MS;
}

function BulkRetryProgress({
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
