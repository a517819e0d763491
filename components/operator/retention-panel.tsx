'use client';

import { Play } from 'lucide-react';
import { useState } from 'react';
import useSWR from 'swr';
import { describeError } from '@/components/session/api-error';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ErrorPanel } from '@/components/ui/error-panel';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import type { RetentionJob, RetentionState } from '@/lib/admin/schema';
import { useOperator } from './operator-context';
import { LastRuns } from './retention-runs';
import { PartitionedTables } from './retention-tables';

const JOBS: Record<RetentionJob, { run: string; done: string }> = {
  partitions: { run: 'Make partitions now', done: 'The partitions of the days ahead are there.' },
};

/** What retention has to work with, and its jobs to run now. */
export function RetentionPanel() {
  const { data: state, error, mutate } = useSWR<RetentionState, unknown>('/retention');
  if (state === undefined) {
    if (error !== undefined) {
      return (
        <ErrorPanel what="The state of retention could not be loaded" error={error} onRetry={() => void mutate()} />
      );
    }
    return (
      <div className="grid gap-4">
        <LoadingLabel />
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <PartitionedTables
        state={state}
        actions={state.jobs.map((job) => <RunButton key={job} job={job} state={state} onRun={() => mutate()} />)}
      />
      <Card title="Last runs" description="The last run of each job." flush>
        <LastRuns runs={state.lastRuns} />
      </Card>
    </div>
  );
}

function RunButton({ job, state, onRun }: { job: RetentionJob; state: RetentionState; onRun: () => Promise<unknown> }) {
  const operator = useOperator();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      await operator.send('/retention/run', { method: 'POST', body: { job } });
      toast.success(JOBS[job].done);
    } catch (thrown) {
      toast.error(`The job did not end well. ${describeError(thrown).detail}`);
    } finally {
      setPending(false);
      await onRun();
    }
  };
  return (
    <Button
      size="sm"
      loading={pending}
      disabledReason={state.partitionMaintenanceEnabled ? undefined : 'PARTITION_MAINTENANCE_ENABLED is false'}
      onClick={() => void run()}
    >
      <Play aria-hidden="true" />
      {JOBS[job].run}
    </Button>
  );
}
