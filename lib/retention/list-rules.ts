import { DAY_MS } from '@/lib/platform/clock';
import type { Config } from '@/lib/platform/config/config';
import { VARIABLES } from '@/lib/platform/config/variables';
import { policyOf, type RetentionPolicy } from './retention-policy';
import type { DataClass, RetentionRule } from './schema';

interface ClassOfData {
  data: DataClass;
  limit: Exclude<keyof RetentionPolicy, 'batchSize' | 'maintainsPartitions'>;
  variable: keyof typeof VARIABLES | null;
  isPartitioned?: true;
}

const CLASSES: readonly ClassOfData[] = [
  {
    data: 'succeededAttempts',
    limit: 'succeededAttemptsDays',
    variable: 'DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS',
    isPartitioned: true,
  },
  {
    data: 'failedAttempts',
    limit: 'failedAttemptsDays',
    variable: 'DATA_RETENTION_ATTEMPTS_DAYS',
    isPartitioned: true,
  },
  {
    data: 'attemptsPerDelivery',
    limit: 'maxAttemptsPerDelivery',
    variable: 'DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY',
  },
  { data: 'events', limit: 'eventsDays', variable: 'DATA_RETENTION_EVENTS_DAYS' },
  { data: 'incomingEvents', limit: 'incomingEventsDays', variable: 'DATA_RETENTION_INCOMING_EVENTS_DAYS' },
  { data: 'deadOutbox', limit: 'deadOutboxDays', variable: 'OUTBOX_DEAD_RETENTION_DAYS' },
  { data: 'tunnelRequests', limit: 'tunnelLogDays', variable: null, isPartitioned: true },
];

/** Returns the rules of a deployment, class by class (docs/specification.md#retention). */
export function listRules(config: Config): RetentionRule[] {
  const policy = policyOf(config);
  return CLASSES.map(({ data, limit, variable, isPartitioned }) => {
    const isCount = data === 'attemptsPerDelivery';
    return {
      data,
      days: isCount ? null : policy[limit],
      perDelivery: isCount ? policy[limit] : null,
      variable,
      isDefault: variable === null || String(config[variable]) === VARIABLES[variable].default,
      leavesByDay: isPartitioned === true && policy.maintainsPartitions,
    };
  });
}

/** Returns when a row expires by a rule of days. A row that is removed by day expires when its entire UTC day has. */
export function expiryOf(createdAt: Date, { days, leavesByDay }: Pick<RetentionRule, 'days' | 'leavesByDay'>): Date {
  const from = leavesByDay ? Math.floor(createdAt.getTime() / DAY_MS) * DAY_MS + DAY_MS : createdAt.getTime();
  return new Date(from + (days ?? 0) * DAY_MS);
}
