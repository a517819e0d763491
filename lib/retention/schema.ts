import * as z from 'zod';

const Count = z.int().min(0);
const Time = z.string();

/** What retention keeps apart (SPEC 8.1). */
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
  /** Age at which a row expires; null where a number is kept instead. */
  days: Count.nullable(),
  /** Rows kept of each delivery, the newest; null where the age decides. */
  perDelivery: Count.nullable(),
  /** What sets it; null where nothing does. */
  variable: z.string().nullable(),
  isDefault: z.boolean(),
  /** Whether rows leave together once the UTC day has expired on which they were made. */
  leavesByDay: z.boolean(),
});
export type RetentionRule = z.infer<typeof RetentionRule>;

/** The jobs that take rows away. */
export const CLEANUP_JOBS = ['main', 'cap', 'burst'] as const;
export type CleanupJob = (typeof CLEANUP_JOBS)[number];

/** One class of data with what an organization has of it. */
export const OwnData = RetentionRule.extend({
  /** Null where rows are not counted: of the cap, which takes from every class of attempts. */
  rows: Count.nullable(),
  /** Counting stopped there: there are at least so many. */
  isAtLeast: z.boolean(),
  oldestAt: Time.nullable(),
  /** The first run that can take any of it; null when there is nothing to take. */
  nextRemovalAt: Time.nullable(),
});
export type OwnData = z.infer<typeof OwnData>;

export const CleanupSchedule = z.object({
  job: z.enum(CLEANUP_JOBS),
  /** In UTC. */
  cron: z.string(),
  /** `endedAt` null and not failed: it is under way, or its process died. */
  lastRun: z.object({ startedAt: Time, endedAt: Time.nullable(), failed: z.boolean() }).nullable(),
  nextRunAt: Time.nullable(),
});
export type CleanupSchedule = z.infer<typeof CleanupSchedule>;

/** The rules of the deployment and one organization's own rows: nothing of anybody else's. */
export const OrganizationRetention = z.object({
  partitionMaintenanceEnabled: z.boolean(),
  classes: z.array(OwnData),
  jobs: z.array(CleanupSchedule),
});
export type OrganizationRetention = z.infer<typeof OrganizationRetention>;

/** The `error` of a run that ended with its process, between two batches: the next one goes on. */
export const STOPPED = 'stopped';

/** A run of a job. `endedAt` null and no error: it is under way, or its process died. */
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
