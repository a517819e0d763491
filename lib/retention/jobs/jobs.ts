import { MINUTE_MS } from '@/lib/platform/clock';
import { capAttempts } from '@/lib/retention/cleanup/cap-attempts';
import { cleanEvents, cleanIncomingEvents } from '@/lib/retention/cleanup/clean-events';
import { cleanExpired, cleanOutbox } from '@/lib/retention/cleanup/clean-expired';
import { recordTableRows } from '@/lib/retention/figures/figures';
import { makePartitions } from '@/lib/retention/partitions/make-partitions';
import { deleteExpiredRows, dropExpiredPartitions } from '@/lib/retention/partitions/remove-expired';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import type { CleanupStep, RetentionJob } from './job-run';

/** A step with its name in error messages. */
export interface NamedStep {
  name: string;
  step: CleanupStep;
}

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

const named = (name: string, step: CleanupStep): NamedStep => ({ name, step });

const MAKE = named('make partitions', makePartitions);
const DROP = named('drop partitions', dropExpiredPartitions);
const DELETE = named('expired rows of partitioned tables', deleteExpiredRows);
const BATCHED: NamedStep[] = [
  named('events', cleanEvents),
  named('incoming events', cleanIncomingEvents),
  named('outbox', cleanOutbox),
  named('what has expired otherwise', cleanExpired),
];

/**
 * Returns the steps of a job, in order (docs/specification.md#cleanup-schedule). Every job first makes the partitions.
 * Partitioned tables come next: then the attempts of entire days are gone before their events are removed row by row.
 */
export function stepsOf(job: RetentionJob, { maintainsPartitions }: RetentionPolicy): NamedStep[] {
  const make = maintainsPartitions ? [MAKE] : [];
  switch (job) {
    case 'main':
    case 'burst':
      return [...make, maintainsPartitions ? DROP : DELETE, ...BATCHED];
    case 'cap':
      return [...make, named('attempts beyond the cap', capAttempts)];
    case 'metrics':
      return [...make, named('rows by table', recordTableRows)];
    case 'partitions':
      return make;
  }
}
