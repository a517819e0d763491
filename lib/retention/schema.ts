import * as z from 'zod';

const Count = z.int().min(0);
const Time = z.string();

/** The classes of data with their own rule (docs/specification.md#retention). */
export const DataClass = z.enum([
  'succeededAttempts',
  'failedAttempts',
  'attemptsPerDelivery',
  'events',
  'incomingEvents',
  'deadOutbox',
  'tunnelRequests',
]);
export type DataClass = z.infer<typeof DataClass>;

/** How long, or how many of, one class of data is kept in this deployment. */
export const RetentionRule = z.object({
  data: DataClass,
  days: Count.nullable().meta({
    description: 'Age in days at which a row expires; null if the number of rows is limited instead',
  }),
  perDelivery: Count.nullable().meta({
    description: 'Number of newest rows kept per delivery; null if age is the limit',
  }),
  variable: z.string().nullable().meta({ description: 'The environment variable that sets it; null if it is fixed' }),
  isDefault: z.boolean(),
  leavesByDay: z.boolean().meta({
    description: 'Whether rows are removed together, once the UTC day on which they were created has expired',
  }),
});
export type RetentionRule = z.infer<typeof RetentionRule>;

/** The jobs that remove rows. */
export const CLEANUP_JOBS = ['main', 'cap', 'burst'] as const;
export type CleanupJob = (typeof CLEANUP_JOBS)[number];

/** One class of data with an organization's rows. */
export const OwnData = RetentionRule.extend({
  rows: Count.nullable().meta({
    description: 'Number of rows; null for the cap, which applies to all classes of attempts',
  }),
  isAtLeast: z.boolean().meta({ description: 'Whether counting stopped at `rows`, so that there may be more' }),
  oldestAt: Time.nullable(),
  nextRemovalAt: Time.nullable().meta({
    description: 'Time of the first run that can remove a row; null if there is nothing to remove',
  }),
});
export type OwnData = z.infer<typeof OwnData>;

export const CleanupSchedule = z.object({
  job: z.enum(CLEANUP_JOBS),
  cron: z.string().meta({ description: 'Schedule as a cron expression, in UTC' }),
  lastRun: z.object({ startedAt: Time, endedAt: Time.nullable(), failed: z.boolean() }).nullable().meta({
    description: 'The last run. If `endedAt` is null and it has not failed, it is in progress or its process died',
  }),
  nextRunAt: Time.nullable(),
});
export type CleanupSchedule = z.infer<typeof CleanupSchedule>;

/** The rules of the deployment and one organization's own rows. */
export const OrganizationRetention = z.object({
  partitionMaintenanceEnabled: z.boolean(),
  classes: z.array(OwnData),
  jobs: z.array(CleanupSchedule),
});
export type OrganizationRetention = z.infer<typeof OrganizationRetention>;

/** A run of a job. `endedAt` null and no error: the run is under way, or its process died. */
export const RetentionRun = z.object({
  job: z.string(),
  startedAt: Time,
  endedAt: Time.nullable(),
  rowsRemoved: z.record(z.string(), z.number()),
  partitionsCreated: Count,
  partitionsDropped: Count,
  error: z.string().nullable(),
});
export type RetentionRun = z.infer<typeof RetentionRun>;

/** The `error` of a run that ended with its process, between two batches. The next run continues. */
export const STOPPED = 'stopped';
