import { setTimeout as sleep } from 'node:timers/promises';
import { readCells } from '@/lib/platform/cells/cells';
import { sqlState } from '@/lib/platform/database-errors';
import { findSettingsFault } from '@/lib/platform/database-settings';
import { database } from '@/lib/platform/db';
import { oneLineOf } from '@/lib/platform/errors';
import { log, logToStderr } from '@/lib/platform/log';
import { findMigrationFault } from '@/lib/platform/migrate/require-migrations';
import { STOP_DEADLINE_MS } from '@/lib/platform/process';
import type { RetentionJob } from '@/lib/retention/jobs/job-run';
import { previewJob, runJob } from '@/lib/retention/jobs/run-job';
import { closeConnections, describeDatabaseFault } from './database';

/** The JSON to print, with a line for people if there is something to say. */
interface Result {
  printed: object;
  line: string | null;
  exitCode: 0 | 1;
}

/** Runs a job once, prints its summary as one line of JSON, and ends the process: with 0 when the job is done, otherwise with 1. */
export async function runOnce(job: RetentionJob, { isDryRun }: { isDryRun: boolean }): Promise<never> {
  logToStderr();
  // The reader of the summary may have closed the pipe.
  process.stdout.on('error', () => undefined);
  const { printed, line, exitCode } = await settle(job, isDryRun);
  if (line !== null) process.stderr.write(`${line}\n`);
  await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(printed)}\n`, () => resolve()));
  await closeConnections();
  process.exit(exitCode);
}

async function settle(job: RetentionJob, isDryRun: boolean): Promise<Result> {
  try {
    const fault = (await findSettingsFault()) ?? (await findMigrationFault(database()));
    if (fault !== null) return failed(job, fault);
    await readCells();
    if (isDryRun) return { printed: await previewJob(job), line: null, exitCode: 0 };
    const signal = abortedBySignals();
    const summary = await Promise.race([runJob(job, { signal }), stoppedInVain(job, signal)]);
    if (summary.status === 'done') return { printed: summary, line: null, exitCode: 0 };
    if (summary.status === 'disabled') return { printed: summary, line: DISABLED, exitCode: 0 };
    return { printed: summary, line: `${job}: ${summary.error}`, exitCode: 1 };
  } catch (error) {
    const fault = describeDatabaseFault(error);
    const reason = fault ?? oneLineOf(error);
    // An error from PostgreSQL needs no stack trace. Any other is a bug.
    if (fault === null && sqlState(error) === undefined) log().error({ err: error, job }, 'unexpected');
    return failed(job, reason);
  }
}

function failed(job: RetentionJob, reason: string): Result {
  return { printed: { job, status: 'failed', error: reason }, line: `${job}: ${reason}`, exitCode: 1 };
}

const DISABLED = 'PARTITION_MAINTENANCE_ENABLED is false: partitions are neither created nor dropped.';

/** Not `onStop`, which exits with 0: a job that was broken off has failed. */
function abortedBySignals(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** Prints a summary when the database has not answered in time. The supervisor would soon kill the process. */
async function stoppedInVain(job: RetentionJob, signal: AbortSignal) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await sleep(STOP_DEADLINE_MS);
  return { job, status: 'stopped', error: 'stopped; the database did not respond in time' } as const;
}
