import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { runLongTask } from '@/lib/platform/background';
import { SECOND_MS } from '@/lib/platform/clock';
import { AppError, oneLineOf } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import type { RetentionJob } from '@/lib/retention/jobs/job-run';
import { runJob } from '@/lib/retention/jobs/run-job';
import type { RunSummary } from '@/lib/retention/jobs/run-record';

/** Proxies commonly end a request after 30 s. */
const WAIT_MS = 25 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

/**
 * Runs a retention job and waits for up to 25 s. A longer job continues in the background, and its run records the
 * result. The audit entry is written in the transaction that records the run.
 *
 * @throws AppError conflict while the job is already running, or for `partitions` while PARTITION_MAINTENANCE_ENABLED is
 *   false; unavailable when the process stops; internal_error when the job fails
 */
export async function runRetentionJob(
  caller: OperatorCaller,
  job: RetentionJob,
  { waitMs = WAIT_MS } = {},
): Promise<void> {
  const running = runLongTask((signal) =>
    runJob(job, {
      signal,
      alongside: (tx, runId) =>
        recordAudit(tx, caller, 'retention.started', { organizationId: null, targetId: runId, details: { job } }),
    }),
  );
  const timer = new AbortController();
  try {
    const summary = await Promise.race([running, sleep(waitMs, null, { signal: timer.signal })]);
    if (summary === null) logEnd(running, job);
    else throwUnlessDone(summary);
  } finally {
    timer.abort();
  }
}

function throwUnlessDone({ job, status, error }: RunSummary): void {
  switch (status) {
    case 'done':
    case 'not_due':
      return;
    case 'already_running':
      throw new AppError('conflict', error ?? 'The job is already running.');
    case 'disabled':
      throw new AppError('conflict', 'Set PARTITION_MAINTENANCE_ENABLED to true to run this job.');
    case 'stopped':
      throw new AppError('unavailable', `The job ${job} was stopped with this process. Start it again.`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    case 'failed':
      throw new AppError('internal_error', `The job ${job} failed: ${error}`);
  }
}

/** The client has its response already, so the log tells the result. */
function logEnd(running: Promise<RunSummary>, job: RetentionJob): void {
  running.then(
    (summary) => log().info({ ...summary }, 'retention: job started by the operator ended'),
    (error: unknown) => log().error({ job, reason: oneLineOf(error) }, 'retention: job started by the operator failed'),
  );
}
