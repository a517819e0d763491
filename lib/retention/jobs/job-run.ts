import type { SqlTransaction } from '@/lib/platform/db';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import { addResult } from './run-counters-sql';

/** The jobs of retention (docs/specification.md#cleanup-schedule). `burst` is `main` with a limit of one minute. */
export const RETENTION_JOBS = ['main', 'cap', 'burst', 'metrics', 'partitions'] as const;
export type RetentionJob = (typeof RETENTION_JOBS)[number];

/** The tables that rows are removed from. */
export const CLEANED_TABLES = [
  'delivery_attempts',
  'events',
  'incoming_events',
  'deliveries',
  'tunnel_request_log',
  'endpoints',
  'endpoint_disabled_periods',
  'destinations',
  'sources',
  'outbox',
  'mails',
  'sessions',
  'refresh_tokens',
  'user_tokens',
  'device_codes',
  'portal_sessions',
  'invitations',
  'login_lockouts',
  'rate_limits',
  'retention_runs',
  'stats',
  'stored_bytes',
] as const;
export type CleanedTable = (typeof CLEANED_TABLES)[number];

/** Rows removed, or to be removed, by table. */
export type RowsByTable = Partial<Record<CleanedTable, number>>;

/** A run of a job, for its steps. */
export interface JobRun {
  /** The id of its row in retention_runs, where `countBatchResult` adds up the result. */
  readonly id: string;
  readonly job: RetentionJob;
  /** The cell that the step is about, where there are several. */
  readonly cell?: string | undefined;
  /** The time of its start. It decides for every step what has expired. */
  readonly now: Date;
  readonly policy: RetentionPolicy;
  /** Aborted when the process must stop, or the time of the burst or of the cell's turn is over. No batch begins after that. */
  readonly signal: AbortSignal;
}

/** One part of a job. It can be interrupted anywhere and repeated from its start. */
export interface CleanupStep {
  /** As error messages say it. */
  readonly name: string;
  /** It is about all cells together, or about tables that they share: it runs once. Others run in each cell. */
  readonly isShared?: true;
  /** Removes what has expired, in transactions of its own. */
  clean(run: JobRun): Promise<void>;
  /** Returns what `clean` would remove now. Changes nothing. */
  preview(run: JobRun): Promise<Preview>;
}

export interface Preview {
  rows?: RowsByTable;
  /** Names of the partitions that would be created and dropped. */
  partitionsToCreate?: string[];
  partitionsToDrop?: string[];
}

/** The result of a transaction, for the run's row and the counters of all runs. */
export interface BatchResult {
  rows?: RowsByTable;
  partitionsCreated?: number;
  partitionsDropped?: number;
}

/**
 * Counts what a transaction has done, in the same transaction: a row is counted once if and only if it is gone. Call it
 * last, since it locks the counters until the commit.
 */
export async function countBatchResult(tx: SqlTransaction, run: JobRun, done: BatchResult): Promise<void> {
  const { rows = {}, partitionsCreated = 0, partitionsDropped = 0 } = done;
  const counted = Object.entries(rows).filter(([, count]) => count > 0);
  if (counted.length === 0 && partitionsCreated === 0 && partitionsDropped === 0) return;
  const removed = JSON.stringify(Object.fromEntries(counted));
  await addResult.run(tx, { run: run.id, removed, created: partitionsCreated, dropped: partitionsDropped });
}
