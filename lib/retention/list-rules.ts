import { DAY_MS } from '@/lib/platform/clock';
import type { Config } from '@/lib/platform/config/config';
import { VARIABLES } from '@/lib/platform/config/variables';
import type { Branch } from './partitions/partitions';
import { policyOf, type RetentionPolicy } from './retention-policy';
import { DataClass, type RetentionRule } from './schema';

interface ClassOfData {
  limit: Exclude<keyof RetentionPolicy, 'batchSize' | 'maintainsPartitions'>;
  variable: keyof typeof VARIABLES | null;
  table: 'delivery_attempts' | 'events' | 'incoming_events' | 'outbox' | 'tunnel_request_log';
  /** Has the rows of the class alone, where the table is partitioned. */
  branch?: Branch['name'];
}

/** What is known of each class of data. */
export const CLASSES: Readonly<Record<DataClass, ClassOfData>> = {
  succeededAttempts: {
    limit: 'succeededAttemptsDays',
    variable: 'DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS',
    table: 'delivery_attempts',
    branch: 'delivery_attempts_succeeded',
  },
  failedAttempts: {
    limit: 'failedAttemptsDays',
    variable: 'DATA_RETENTION_ATTEMPTS_DAYS',
    table: 'delivery_attempts',
    branch: 'delivery_attempts_failed',
  },
  attemptsPerDelivery: {
    limit: 'maxAttemptsPerDelivery',
    variable: 'DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY',
    table: 'delivery_attempts',
  },
  events: { limit: 'eventsDays', variable: 'DATA_RETENTION_EVENTS_DAYS', table: 'events' },
  incomingEvents: {
    limit: 'incomingEventsDays',
    variable: 'DATA_RETENTION_INCOMING_EVENTS_DAYS',
    table: 'incoming_events',
  },
  deadOutbox: { limit: 'deadOutboxDays', variable: 'OUTBOX_DEAD_RETENTION_DAYS', table: 'outbox' },
  tunnelRequests: {
    limit: 'tunnelLogDays',
    variable: null,
    table: 'tunnel_request_log',
    branch: 'tunnel_request_log',
  },
};

/** Returns the rules of a deployment, class by class (docs/specification.md#retention). */
export function listRules(config: Config): RetentionRule[] {
  const policy = policyOf(config);
  return DataClass.options.map((data) => {
    const { limit, variable, branch } = CLASSES[data];
    const isCount = data === 'attemptsPerDelivery';
    return {
      data,
      days: isCount ? null : policy[limit],
      perDelivery: isCount ? policy[limit] : null,
      variable,
      isDefault: variable === null || String(config[variable]) === VARIABLES[variable].default,
      leavesByDay: branch !== undefined && policy.maintainsPartitions,
    };
  });
}

/** Returns when a row expires by a rule of days. A row that is removed by day expires when its entire UTC day has. */
export function expiryOf(createdAt: Date, { days, leavesByDay }: Pick<RetentionRule, 'days' | 'leavesByDay'>): Date {
  const from = leavesByDay ? Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS + DAY_MS : createdAt.getTime();
  return new Date(from + (days ?? 0) * DAY_MS);
}
