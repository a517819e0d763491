import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAuditSql } from '@/lib/audit/record-audit';
import { runLasting } from '@/lib/platform/background';
import { SECOND_MS } from '@/lib/platform/clock';
import { AppError, oneLineOf } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import type { RetentionJob } from '@/lib/retention/jobs/job-run';
import { runJob } from '@/lib/retention/jobs/run-job';
import type { RunSummary } from '@/lib/retention/jobs/run-record';

/** Proxies give up on an answer after 30 s. */
const PATIENCE_MS = 25 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

/**
 * Runs a retention job now, and waits for its end for up to 25 s; then it goes on without anybody waiting, and its run
 * tells how it ended (CONTRACT 6). That it was started is recorded together with the run.
 *
 * @throws AppError conflict while the job is running already; `partitions` while PARTITION_MAINTENANCE_ENABLED is false (CONTRACT 10)
 * @throws AppError internal_error when it did not end well
 */
export async function runRetentionJob(
  caller: OperatorCaller,
  job: RetentionJob,
  { patienceMs = PATIENCE_MS } = {},
): Promise<void> {
  const running = runLasting((signal) =>
    runJob(job, {
      signal,
      alongside: (tx, runId) =>
        recordAuditSql(tx, caller, {
          action: 'retention.started',
          organizationId: null,
          target: { type: 'retention_run', id: runId },
          details: { job },
        }),
    }),
  );
  const patience = new AbortController();
  try {
    const summary = await Promise.race([running, sleep(patienceMs, null, { signal: patience.signal })]);
    if (summary === null) logEnd(running, job);
    else throwUnlessDone(summary);
  } finally {
    patience.abort();
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
      throw new AppError('conflict', 'PARTITION_MAINTENANCE_ENABLED is false: partitions are not made here.');
    case 'stopped':
      throw new AppError('unavailable', `The job ${job} was stopped with this process. Start it again.`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    case 'failed':
      throw new AppError('internal_error', `The job ${job} failed: ${error}`);
  }
}

/** Nobody hears of it any more: the log does. */
function logEnd(running: Promise<RunSummary>, job: RetentionJob): void {
  running.then(
    (summary) => log().info({ ...summary }, 'retention: a job started by the operator has ended'),
    (error: unknown) =>
      log().error({ job, reason: oneLineOf(error) }, 'retention: a job started by the operator failed'),
  );
}
