'use client';

import { Play } from 'lucide-react';
import { useState } from 'react';
import { ApiError, describeError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import type { RetentionJob, RetentionState } from '@/lib/admin/schema';
import { useOperator } from './operator-context';
import { JOB_LABELS } from './retention-job-labels';

const QUESTIONS: Partial<Record<RetentionJob, { title: string; description: string; confirmLabel: string }>> = {
  main: {
    title: 'Run the main cleanup now?',
    description: 'Permanently deletes all data that has expired under the rules on this page, as the nightly run does.',
    confirmLabel: 'Run main cleanup',
  },
  burst: {
    title: 'Run the burst cleanup now?',
    description: 'Permanently deletes data that has expired under the rules on this page, for up to a minute.',
    confirmLabel: 'Run burst cleanup',
  },
};

/** Runs a job now. A job that can remove much data asks for confirmation. */
export function RunButton({
  job,
  state,
  reload,
}: {
  job: RetentionJob;
  state: RetentionState;
  reload: () => Promise<RetentionState | undefined>;
}) {
  const operator = useOperator();
  const [pending, setPending] = useState(false);
  const [asked, setAsked] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      await operator.send('/retention/run', { method: 'POST', body: { job } });
      const last = (await reload())?.lastRuns.find((candidate) => candidate.job === job);
      if (last?.endedAt === null) toast.success(`The job ${job} is still running. Its result will appear here.`);
      else toast.success(JOB_LABELS[job].done);
    } catch (thrown) {
      const { detail } = describeError(thrown);
      toast.error(isConflict(thrown) ? detail : `The job ${job} failed. ${detail}`);
      await reload();
    } finally {
      setPending(false);
    }
  };
  const question = QUESTIONS[job];
  const isOff = job === 'partitions' && !state.partitionMaintenanceEnabled;
  return (
    <>
      <Button
        size="sm"
        loading={pending}
        aria-label={`Run ${job} now`}
        disabledReason={isOff ? 'PARTITION_MAINTENANCE_ENABLED is false' : undefined}
        onClick={() => (question === undefined ? void run() : setAsked(true))}
      >
        <Play aria-hidden="true" />
        Run
      </Button>
      {question === undefined ? null : (
        <ConfirmDialog
          open={asked}
          onOpenChange={setAsked}
          {...question}
          // Not awaited: the dialog closes now, and the run may take minutes.
          onConfirm={() => void run()}
        />
      )}
    </>
  );
}

/** Whether the job is already running or disabled, which is not a failure. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}
