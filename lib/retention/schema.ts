import * as z from 'zod';
import { field } from '@/lib/platform/field';
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
  data: field(DataClass, 'The class of data', 'events'),
  days: field(
    Count.nullable(),
    'Age in days at which a row expires; null if the number of rows is limited instead',
    90,
  ),
  perDelivery: field(Count.nullable(), 'Number of newest rows kept per delivery; null if age is the limit'),
  variable: field(
    z.string().nullable(),
    'The environment variable that sets it; null if it is fixed',
    'DATA_RETENTION_EVENTS_DAYS',
  ),
  isDefault: field(z.boolean(), 'Whether the rule is the default'),
  leavesByDay: field(
    z.boolean(),
    'Whether rows are removed together, once the UTC day on which they were created has expired',
  ),
});
export type RetentionRule = z.infer<typeof RetentionRule>;

/** The jobs that remove rows. */
export const CLEANUP_JOBS = ['main', 'cap', 'burst'] as const;
export type CleanupJob = (typeof CLEANUP_JOBS)[number];

/** One class of data with an organization's rows. */
export const OwnData = RetentionRule.extend({
  rows: field(Count.nullable(), 'Number of rows; null for the cap, which applies to all classes of attempts', 23410),
  isAtLeast: field(z.boolean(), 'Whether counting stopped at `rows`, so that there may be more', false),
  oldestAt: field(Time.nullable(), 'When the oldest row was created; null if there are no rows'),
  nextRemovalAt: field(
    Time.nullable(),
    'Time of the first run that can remove a row; null if there is nothing to remove',
  ),
});
export type OwnData = z.infer<typeof OwnData>;

export const CleanupSchedule = z.object({
  job: field(z.enum(CLEANUP_JOBS), 'The cleanup job'),
  cron: field(z.string(), 'Schedule as a cron expression, in UTC', '0 2 * * *'),
  lastRun: field(
    z
      .object({
        startedAt: field(Time, 'When it started'),
        endedAt: field(Time.nullable(), 'When it ended; null while it runs, or if its process died'),
        failed: field(z.boolean(), 'Whether the run failed', false),
      })
      .nullable(),
    'The last run. If `endedAt` is null and it has not failed, it is in progress or its process died',
  ),
  nextRunAt: field(Time.nullable(), 'When it runs next; null if it is due, or never runs on its own'),
});
export type CleanupSchedule = z.infer<typeof CleanupSchedule>;

/** The rules of the deployment and one organization's own rows. */
export const OrganizationRetention = z.object({
  partitionMaintenanceEnabled: field(z.boolean(), 'Whether the service creates and drops partitions'),
  classes: field(z.array(OwnData), 'The rule of each class of data, and the rows it applies to'),
  jobs: field(z.array(CleanupSchedule), 'The cleanup jobs'),
});
export type OrganizationRetention = z.infer<typeof OrganizationRetention>;

/** A run of a job. `endedAt` null and no error: the run is under way, or its process died. */
export const RetentionRun = z.object({
  job: field(z.string(), 'The cleanup job', 'main'),
  startedAt: field(Time, 'When it started'),
  endedAt: field(Time.nullable(), 'When it ended; null while it runs, or if its process died'),
  rowsRemoved: field(z.record(z.string(), z.number()), 'Number of removed rows, by table', { events: 1200 }),
  partitionsCreated: field(Count, 'Number of partitions it created'),
  partitionsDropped: field(Count, 'Number of partitions it dropped'),
  error: field(z.string().nullable(), 'What went wrong; null if nothing did'),
});
export type RetentionRun = z.infer<typeof RetentionRun>;
