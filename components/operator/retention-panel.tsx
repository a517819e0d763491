'use client';

import useSWR from 'swr';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageSkeleton } from '@/components/ui/skeleton';
import type { RetentionState } from '@/lib/admin/schema';
import { PartitionList } from './partition-list';
import { PartitionMap } from './partition-map';
import { RetainedClasses } from './retention-classes';
import { RetentionJobs } from './retention-jobs';
import { RetentionWarnings } from './retention-warnings';

const [WATCH_MS, WATCHED_MS] = [3_000, 10 * 60_000];

/** The data that retention keeps, its partitions and its jobs. */
export function RetentionPanel() {
  const {
    data: state,
    error,
    mutate,
  } = useSWR<RetentionState, unknown>('/retention', {
    refreshInterval: (latest) => (latest !== undefined && isRunning(latest, Date.now()) ? WATCH_MS : 0),
  });
  if (state === undefined) {
    if (error !== undefined) {
      return <ErrorPanel what="We couldn’t load the retention state" error={error} onRetry={() => void mutate()} />;
    }
    return <PageSkeleton parts={['h-80 w-full', 'h-56 w-full', 'h-64 w-full']} />;
  }
  return (
    <div className="grid gap-4">
      <RetentionWarnings state={state} />
      <RetainedClasses classes={state.classes} />
      <Card title="Partitions" description="One partition per UTC day, so an expired day is dropped all at once." flush>
        {state.partitionMaintenanceEnabled ? null : (
          <Callout tone="warning" className="mx-4 mt-4">
            PARTITION_MAINTENANCE_ENABLED is false. Partitions are neither created nor dropped, and expired rows are
            deleted in batches.
          </Callout>
        )}
        <PartitionMap tables={state.tables} />
        <PartitionList tables={state.tables} />
      </Card>
      <RetentionJobs state={state} reload={() => mutate()} />
    </div>
  );
}

/** Whether a run has started and not ended. An old one may have crashed and does not count. */
function isRunning({ lastRuns }: RetentionState, nowMs: number): boolean {
  return lastRuns.some(
    ({ startedAt, endedAt, error }) => endedAt === null && error === null && nowMs - Date.parse(startedAt) < WATCHED_MS,
  );
}
