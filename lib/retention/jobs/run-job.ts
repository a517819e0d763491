import { inEachCell, knownCells } from '@/lib/platform/cells/current-cell';
import { HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database, type SqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { policyOf, type RetentionPolicy } from '@/lib/retention/retention-policy';
import { STOPPED } from '@/lib/retention/stopped-policy';
import { type JobLock, tryJobLock } from './job-lock';
import type { CleanupStep, JobRun, RetentionJob, RowsByTable } from './job-run';
import { LOCK_NAMES, stepsOf, TIME_LIMITS_MS } from './jobs';
import { readTime } from './jobs-sql';
import { type RunSummary, recordEnd, recordStart, summarizeIdle } from './run-record';
import { runSteps } from './run-steps';

export interface RunJobOptions {
  /** Ends the run between two batches, because the process must stop. */
  signal?: AbortSignal;
  /** The time that decides what has expired. Default: the database's time. */
  now?: Date;
  /** Asked under the lock. False when another process has just done the work. */
  isStillDue?: () => Promise<boolean>;
  /** Writes more rows in the transaction that records the start: they exist if and only if the run has begun. */
  alongside?: (tx: SqlTransaction, runId: string) => Promise<void>;
  /** Default: the job's own limit. */
  timeLimitMs?: number;
  steps?: CleanupStep[];
}

/** Clocks differ by less, unless one of them is wrong. What a wrong one lets expire is gone for good. */
const MAX_CLOCK_DIFFERENCE_MS = HOUR_MS;
const LOCK_LOST = 'the connection that held the lock was lost';

/**
 * Runs a job to its end, unless another process runs it. When a step fails, the others still run; the run then ends as
 * failed, with the reason of each failure. The next run finishes what a killed one has left.
 *
 * @throws when the run cannot be recorded, for instance because the database cannot be reached
 */
export async function runJob(job: RetentionJob, options: RunJobOptions = {}): Promise<RunSummary> {
  const policy = policyOf(config());
  if (job === 'partitions' && !policy.maintainsPartitions) return summarizeIdle(job, 'disabled', null);
  const lock = await tryJobLock(LOCK_NAMES[job]);
  if (lock === null) return summarizeIdle(job, 'already_running', describeLoss(job));
  try {
    if ((await options.isStillDue?.()) === false) return summarizeIdle(job, 'not_due', null);
    return await runUnderLock(lock, job, policy, options);
  } finally {
    await lock.release();
  }
}

async function runUnderLock(
  lock: JobLock,
  job: RetentionJob,
  policy: RetentionPolicy,
  options: RunJobOptions,
): Promise<RunSummary> {
  const timeLimitMs = options.timeLimitMs ?? TIME_LIMITS_MS[job];
  const stop = watchForStop({ asked: options.signal, lockLost: lock.lost, timeLimitMs });
  try {
    const startedAt = performance.now();
    const record = await recordStart(job, options.now ?? null, options.alongside);
    const run: JobRun = { ...record, job, policy, signal: stop.signal };
    const clockFault = options.now === undefined ? findClockFault(run.now) : null;
    const steps = options.steps ?? stepsOf(job, policy);
    const limits = { graceEnds: stop.graceEnds, endsAtMs: startedAt + (timeLimitMs ?? Number.POSITIVE_INFINITY) };
    const faults = clockFault === null ? await runSteps(run, steps, limits) : [clockFault];
    const isAskedToStop = options.signal?.aborted === true;
    if (isAskedToStop) faults.unshift(STOPPED);
    else if (lock.lost.aborted) faults.unshift(LOCK_LOST);
    const summary = await recordEnd(run, {
      status: faults.length === 0 ? 'done' : isAskedToStop ? 'stopped' : 'failed',
      error: faults.join('; ') || null,
      durationMs: performance.now() - startedAt,
    });
    return stop.signal.reason === OUT_OF_TIME ? { ...summary, outOfTime: true } : summary;
  } finally {
    stop.dispose();
  }
}

/** Says that the clock of the database or of this process is wrong; null when they agree. */
function findClockFault(databaseTime: Date): string | null {
  const here = new Date();
  if (Math.abs(databaseTime.getTime() - here.getTime()) <= MAX_CLOCK_DIFFERENCE_MS) return null;
  const times = `the database's clock says ${databaseTime.toISOString()}, this machine's ${here.toISOString()}`;
  return `${times}: nothing was removed, because one of them is wrong`;
}

const OUT_OF_TIME = 'out of time';

/** How long a stopping process waits for the batch under way. It has 7 s in total (lib/platform/process.ts). */
const GRACE_MS = 4 * SECOND_MS;

/**
 * How long a run that lost its lock waits. PostgreSQL ends every statement of a batch within 30 s (batches.ts). A result that
 * has not arrived by then was lost with the network; on a silent connection the run would wait for it until a restart.
 */
const LOST_GRACE_MS = 45 * SECOND_MS;

interface StopReasons {
  /** The process must stop. */
  asked?: AbortSignal | undefined;
  /** Another process may have the lock. */
  lockLost: AbortSignal;
  /** Undefined: no limit. */
  timeLimitMs?: number | undefined;
}

/**
 * Joins everything that ends a run before its work is done: no step or batch begins after `signal`, and the one under way is
 * abandoned after `graceEnds`. AbortSignal.any and AbortSignal.timeout are of no use here: in Node 20 the one leaks under a
 * signal as old as the process, and the other may be collected before it fires.
 */
export function watchForStop({ asked, lockLost, timeLimitMs }: StopReasons) {
  const ending = new AbortController();
  const disposing = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const graceEnds = new Promise<void>((resolve) => {
    const stopOn = (signal: AbortSignal | undefined, graceMs: number) => {
      const stop = () => {
        ending.abort();
        timers.push(setTimeout(resolve, graceMs));
      };
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { signal: disposing.signal });
    };
    stopOn(asked, GRACE_MS);
    stopOn(lockLost, LOST_GRACE_MS);
  });
  if (timeLimitMs !== undefined) timers.push(setTimeout(() => ending.abort(OUT_OF_TIME), timeLimitMs));
  const dispose = () => {
    disposing.abort();
    for (const timer of timers) clearTimeout(timer);
  };
  return { signal: ending.signal, graceEnds, dispose };
}

function describeLoss(job: RetentionJob): string {
  const others = Object.entries(LOCK_NAMES).flatMap(([name, lock]) => (lock === LOCK_NAMES[job] ? [name] : []));
  return `The job is already running: another process is at ${others.join(' or ')}.`;
}

/** What a job would do now. */
interface JobPreview {
  job: RetentionJob;
  dryRun: true;
  /** The time that decided what had expired, RFC 3339. */
  at: string;
  rowsToRemove: RowsByTable;
  /** With the cell of each, where there are several. */
  partitionsToCreate: string[];
  partitionsToDrop: string[];
}

/** Returns what a job would do now. Takes no lock, records no run, changes nothing. */
export async function previewJob(
  job: RetentionJob,
  options: { now?: Date; steps?: CleanupStep[] } = {},
): Promise<JobPreview> {
  const policy = policyOf(config());
  const now = options.now ?? (await readTime.one(database())).now;
  const run: JobRun = { id: newId(), job, now, policy, signal: new AbortController().signal };
  const preview: JobPreview = {
    job,
    dryRun: true,
    at: now.toISOString(),
    rowsToRemove: {},
    partitionsToCreate: [],
    partitionsToDrop: [],
  };
  const add = async (step: CleanupStep, nameOf: (partition: string) => string) => {
    const { rows = {}, partitionsToCreate = [], partitionsToDrop = [] } = await step.preview(run);
    addRows(preview.rowsToRemove, rows);
    preview.partitionsToCreate.push(...partitionsToCreate.map(nameOf));
    preview.partitionsToDrop.push(...partitionsToDrop.map(nameOf));
  };
  const isAlone = knownCells().length === 1;
  for (const step of options.steps ?? stepsOf(job, policy)) {
    if (step.isShared) await add(step, (name) => name);
    else await inEachCell((cell) => add(step, (name) => (isAlone ? name : `${cell}.${name}`)));
  }
  return preview;
}

function addRows(sum: RowsByTable, rows: RowsByTable): void {
  for (const [table, count] of Object.entries(rows) as [keyof RowsByTable, number][]) {
    if (count > 0) sum[table] = (sum[table] ?? 0) + count;
  }
}
