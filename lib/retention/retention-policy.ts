import { addMs, DAY_MS } from '@/lib/platform/clock';
import type { Config } from '@/lib/platform/config/config';

/** How long each class of data is kept, and how it is removed (docs/specification.md#retention). A day is exactly 24 hours, in UTC. */
export interface RetentionPolicy {
  failedAttemptsDays: number;
  succeededAttemptsDays: number;
  eventsDays: number;
  incomingEventsDays: number;
  deadOutboxDays: number;
  tunnelLogDays: number;
  /** The newest attempts kept per delivery, whatever their age. */
  maxAttemptsPerDelivery: number;
  /** The most rows that one transaction removes from a table. */
  batchSize: number;
  /** False: partitions are neither created nor dropped, and expired rows of partitioned tables are deleted in batches. */
  maintainsPartitions: boolean;
}

/** No variable sets it. */
const TUNNEL_LOG_DAYS = 7;

/** Returns the policy of a deployment. */
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

/** Returns the time at or before which rows have expired: with 14 days, a row that is exactly 14 days old has. */
export function expiryCutoff(now: Date, days: number): Date {
  return addMs(now, -days * DAY_MS);
}

/** Whether every row from before `to` has expired. */
export function hasPeriodExpired(period: { to: Date }, now: Date, days: number): boolean {
  return period.to.getTime() <= expiryCutoff(now, days).getTime();
}
