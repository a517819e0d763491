import { addMs, DAY_MS } from '@/lib/platform/clock';
import type { Config } from '@/lib/platform/config/config';

/** How long each class of data is kept, and how it leaves (SPEC 8.1). Days are periods of exactly 24 hours, in UTC. */
export interface RetentionPolicy {
  failedAttemptsDays: number;
  succeededAttemptsDays: number;
  eventsDays: number;
  incomingEventsDays: number;
  deadOutboxDays: number;
  tunnelLogDays: number;
  /** Attempts kept per delivery, the newest, whatever their age. */
  maxAttemptsPerDelivery: number;
  /** Rows that one transaction removes of a table, at most. */
  batchSize: number;
  /** False: partitions are neither made nor dropped, and expired rows of partitioned tables leave in batches. */
  maintainsPartitions: boolean;
}

/** The specification names no variable for it. */
const TUNNEL_LOG_DAYS = 7;

/** The policy that a deployment has set. Read at each run, so that a changed variable counts from the next one on. */
export function policyOf(config: Config): RetentionPolicy {
  return {
    failedAttemptsDays: config.DATA_RETENTION_ATTEMPTS_DAYS,
    succeededAttemptsDays: config.DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS,
    eventsDays: config.DATA_RETENTION_EVENTS_DAYS,
    incomingEventsDays: config.DATA_RETENTION_INCOMING_EVENTS_DAYS,
    deadOutboxDays: config.OUTBOX_DEAD_RETENTION_DAYS,
    tunnelLogDays: TUNNEL_LOG_DAYS,
    maxAttemptsPerDelivery: config.DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY,
    batchSize: config.DATA_RETENTION_BATCH_SIZE,
    maintainsPartitions: config.PARTITION_MAINTENANCE_ENABLED,
  };
}

/** The last instant at which a row made then has expired: of 14 days, one that is exactly 14 days old has. */
export function expiredUntil(now: Date, days: number): Date {
  return addMs(now, -days * DAY_MS);
}

/** Whether every row of a period that ends before `to` has expired: a partition goes once its whole UTC day has. */
export function hasPeriodExpired(period: { to: Date }, now: Date, days: number): boolean {
  return period.to.getTime() <= expiredUntil(now, days).getTime();
}
