import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAuditSql } from '@/lib/audit/record-audit';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database, inTransaction } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { createPartitionsAhead } from '@/lib/retention/create-partitions';
import type { RetentionJob } from './schema';

/** What each job does; gives the number of partitions it made. */
const RUN: Record<RetentionJob, (clock: Clock) => Promise<number>> = {
  partitions: (clock) => createPartitionsAhead(clock()),
};

/**
 * Runs a retention job now and waits for its end (CONTRACT 6). That it was started is recorded before it begins, and its
 * run beside those of the schedule.
 *
 * @throws AppError conflict while PARTITION_MAINTENANCE_ENABLED is false: then nothing makes partitions (CONTRACT 10)
 */
export async function runRetentionJob(caller: OperatorCaller, job: RetentionJob, clock: Clock): Promise<void> {
  if (!config().PARTITION_MAINTENANCE_ENABLED) {
    throw new AppError('conflict', 'PARTITION_MAINTENANCE_ENABLED is false: partitions are not made here.');
  }
  const runId = newId();
  await inTransaction(async (tx) => {
    await tx.query('INSERT INTO retention_runs (id, job) VALUES ($1, $2)', [runId, job]);
    await recordAuditSql(tx, caller, {
      action: 'retention.started',
      organizationId: null,
      target: { type: 'retention_run', id: runId },
      details: { job },
    });
  });
  try {
    await endRun(runId, await RUN[job](clock), null);
  } catch (error) {
    await endRun(runId, 0, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

async function endRun(runId: string, partitionsCreated: number, error: string | null): Promise<void> {
  await database().query(
    'UPDATE retention_runs SET ended_at = now(), partitions_created = $2, error = $3 WHERE id = $1',
    [runId, partitionsCreated, error],
  );
}
