import type { SqlTransaction } from '@/lib/platform/db';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import type { AttemptWindowCache } from './attempt-window-cache';
import type { DeliverySource } from './delivery-source';

/** The transaction of one batch. */
export interface EventBatch {
  tx: SqlTransaction;
  run: JobRun;
  source: DeliverySource;
  windows: AttemptWindowCache;
  /** The most rows that it removes from each table. */
  limit: number;
}

const UUID_LENGTH = 36;

/** Returns the id at an index of an array in PostgreSQL's syntax. */
export function idAt(ids: string, index: number): string {
  const start = 1 + index * (UUID_LENGTH + 1);
  return ids.slice(start, start + UUID_LENGTH);
}
