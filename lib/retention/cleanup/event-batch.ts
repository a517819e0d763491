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
  /** Rows of each table that it may remove. */
  limit: number;
}

const UUID_LENGTH = 36;

/** The id at an index of an array as PostgreSQL writes it. */
export function idAt(ids: string, index: number): string {
  const start = 1 + index * (UUID_LENGTH + 1);
  return ids.slice(start, start + UUID_LENGTH);
}
