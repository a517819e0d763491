import { MINUTE_MS } from '@/lib/platform/clock';
import { capAttempts } from '@/lib/retention/cleanup/cap-attempts';
import { cleanEvents, cleanIncomingEvents } from '@/lib/retention/cleanup/clean-events';
import { cleanExpired } from '@/lib/retention/cleanup/clean-expired';
import { cleanOutbox } from '@/lib/retention/cleanup/clean-outbox';
import { recordTableRows } from '@/lib/retention/figures/record-table-rows';
import { makePartitions } from '@/lib/retention/partitions/create-partitions';
import { sortDefaultPartitions } from '@/lib/retention/partitions/default-rows';
import { deleteExpiredRows } from '@/lib/retention/partitions/delete-expired-rows';
import { dropExpiredPartitions } from '@/lib/retention/partitions/drop-partitions';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import type { CleanupStep, RetentionJob } from './job-run';

/** A step, and the word for it in the reason of a run that failed. */
export interface NamedStep {
  name: string;
  step: CleanupStep;
}

/** Jobs that do the same work share a lock (CONTRACT 7). */
export const LOCK_NAMES: Record<RetentionJob, string> = {
  main: 'main',
  burst: 'main',
  cap: 'cap',
  metrics: 'metrics',
  partitions: 'partitions',
};

/** Milliseconds after which a job ends with what it has done; the others go on until nothing is left to do. */
export const TIME_LIMITS_MS: Partial<Record<RetentionJob, number>> = { burst: MINUTE_MS };

const named = (name: string, step: CleanupStep): NamedStep => ({ name, step });

const MAKE = named('make partitions', makePartitions);
const SORT = named('sort default partitions', sortDefaultPartitions);
const DROP = named('drop partitions', dropExpiredPartitions);
const DELETE = named('expired rows of partitioned tables', deleteExpiredRows);
const BATCHED: NamedStep[] = [
  named('events', cleanEvents),
  named('incoming events', cleanIncomingEvents),
  named('outbox', cleanOutbox),
  named('what has expired otherwise', cleanExpired),
];

/**
 * What a job does, in order (CONTRACT 10: partitions are made before every run). What is partitioned comes first, so that
 * whole days of attempts are gone before the events they belong to: they need not leave row by row with them.
 */
export function stepsOf(job: RetentionJob, { maintainsPartitions }: RetentionPolicy): NamedStep[] {
  const make = maintainsPartitions ? [MAKE] : [];
  switch (job) {
    case 'main':
    case 'burst':
      return [...make, ...(maintainsPartitions ? [SORT, DROP] : [DELETE]), ...BATCHED];
    case 'cap':
      return [...make, named('attempts beyond the cap', capAttempts)];
    case 'metrics':
      return [...make, named('rows by table', recordTableRows)];
    case 'partitions':
      return maintainsPartitions ? [MAKE, SORT] : [];
  }
}
