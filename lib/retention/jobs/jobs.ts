import { MINUTE_MS } from '@/lib/platform/clock';
import { capAttempts } from '@/lib/retention/cleanup/cap-attempts';
import { cleanEvents, cleanIncomingEvents } from '@/lib/retention/cleanup/clean-events';
import { cleanExpired, cleanOutbox, cleanShared } from '@/lib/retention/cleanup/clean-expired';
import { recordTableRows } from '@/lib/retention/figures/figures';
import { makePartitions } from '@/lib/retention/partitions/make-partitions';
import { deleteExpiredRows, dropExpiredPartitions } from '@/lib/retention/partitions/remove-expired';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import type { CleanupStep, RetentionJob } from './job-run';

/** Jobs that do the same work share a lock. */
export const LOCK_NAMES: Record<RetentionJob, string> = {
  main: 'main',
  burst: 'main',
  cap: 'cap',
  metrics: 'metrics',
  partitions: 'partitions',
};

/** Milliseconds after which a job ends with what it has done. The other jobs run until nothing is left to do. */
export const TIME_LIMITS_MS: Partial<Record<RetentionJob, number>> = { burst: MINUTE_MS };

/**
 * Returns the steps of a job, in order (docs/specification.md#cleanup-schedule). Every job first makes the partitions.
 * Partitioned tables come next: then the attempts of entire days are gone before their events are removed row by row.
 */
export function stepsOf(job: RetentionJob, { maintainsPartitions }: RetentionPolicy): CleanupStep[] {
  const make = maintainsPartitions ? [makePartitions] : [];
  const expire = maintainsPartitions ? dropExpiredPartitions : deleteExpiredRows;
  switch (job) {
    case 'main':
    case 'burst':
      return [...make, expire, cleanEvents, cleanIncomingEvents, cleanOutbox, cleanExpired, cleanShared];
    case 'cap':
      return [...make, capAttempts];
    case 'metrics':
      return [...make, recordTableRows];
    case 'partitions':
      return make;
  }
}
