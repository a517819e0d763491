import * as z from 'zod';
import { Time } from '@/lib/platform/instant';

const Count = z.int().min(0);

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
  data: DataClass.meta({ description: 'The class of data', examples: ['events'] }),
  days: Count.nullable().meta({
    description: 'Age in days at which a row expires; null if the number of rows is limited instead',
    examples: [90],
  }),
  perDelivery: Count.nullable().meta({
    description: 'Number of newest rows kept per delivery; null if age is the limit',
  }),
  variable: z
    .string()
    .nullable()
    .meta({
      description: 'The environment variable that sets it; null if it is fixed',
      examples: ['DATA_RETENTION_EVENTS_DAYS'],
    }),
  isDefault: z.boolean().meta({ description: 'Whether the rule is the default' }),
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
    examples: [23410],
  }),
  isAtLeast: z
    .boolean()
    .meta({ description: 'Whether counting stopped at `rows`, so that there may be more', examples: [false] }),
  oldestAt: Time.nullable().meta({ description: 'When the oldest row was created; null if there are no rows' }),
  nextRemovalAt: Time.nullable().meta({
    description: 'Time of the first run that can remove a row; null if there is nothing to remove',
  }),
});
export type OwnData = z.infer<typeof OwnData>;

export const CleanupSchedule = z.object({
  job: z.enum(CLEANUP_JOBS).meta({ description: 'The cleanup job' }),
  cron: z.string().meta({ description: 'Schedule as a cron expression, in UTC', examples: ['0 2 * * *'] }),
  lastRun: z
    .object({
      startedAt: Time.meta({ description: 'When it started' }),
      endedAt: Time.nullable().meta({ description: 'When it ended; null while it runs, or if its process died' }),
      failed: z.boolean().meta({ description: 'Whether the run failed', examples: [false] }),
    })
    .nullable()
    .meta({
      description: 'The last run. If `endedAt` is null and it has not failed, it is in progress or its process died',
    }),
  nextRunAt: Time.nullable().meta({ description: 'When it runs next; null if it is due, or never runs on its own' }),
});
export type CleanupSchedule = z.infer<typeof CleanupSchedule>;

/** The rules of the deployment and one organization's own rows. */
export const OrganizationRetention = z.object({
  partitionMaintenanceEnabled: z.boolean().meta({ description: 'Whether the service creates and drops partitions' }),
  classes: z.array(OwnData).meta({ description: 'The rule of each class of data, and the rows it applies to' }),
  jobs: z.array(CleanupSchedule).meta({ description: 'The cleanup jobs' }),
});
export type OrganizationRetention = z.infer<typeof OrganizationRetention>;

/** A run of a job. `endedAt` null and no error: the run is under way, or its process died. */
export const RetentionRun = z.object({
  job: z.string().meta({ description: 'The cleanup job', examples: ['main'] }),
  startedAt: Time.meta({ description: 'When it started' }),
  endedAt: Time.nullable().meta({ description: 'When it ended; null while it runs, or if its process died' }),
  rowsRemoved: z
    .record(z.string(), z.number())
    .meta({ description: 'Number of removed rows, by table', examples: [{ events: 1200 }] }),
  partitionsCreated: Count.meta({ description: 'Number of partitions it created' }),
  partitionsDropped: Count.meta({ description: 'Number of partitions it dropped' }),
  error: z.string().nullable().meta({ description: 'What went wrong; null if nothing did' }),
});
export type RetentionRun = z.infer<typeof RetentionRun>;
