import * as z from 'zod';
import { foldEmail } from '@/lib/accounts/email-address';
import { ListAuditQuery } from '@/lib/audit/schema';
import { RoleName } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';
import { PageQuery } from '@/lib/platform/pagination';
import { StorableText, text } from '@/lib/platform/text';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { RetentionRule, RetentionRun } from '@/lib/retention/schema';

const Count = z.int().min(0);
const Time = z.string();

export const ListAllOrganizationsQuery = PageQuery.extend({
  name: text(100).optional().meta({ description: 'Part of the name, case-insensitive' }),
  deleted: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional()
    .meta({ description: '`true`: only organizations that are being removed. `false`: only the others' }),
});
export type ListAllOrganizationsQuery = z.infer<typeof ListAllOrganizationsQuery>;

/** An organization in the operator's list. */
export const OrganizationOverview = z.object({
  id: Id,
  name: z.string(),
  createdAt: Time,
  deletedAt: Time.nullable().meta({ description: 'When it was deleted; set while its data is being removed' }),
  memberCount: Count,
  projectCount: Count,
});
export type OrganizationOverview = z.infer<typeof OrganizationOverview>;

/** Rows of one kind that an organization stores, and their estimated size. The number of attempts is an estimate too. */
export const StoredRows = z.object({
  kind: z.enum(['events', 'incomingEvents', 'deliveries', 'attempts']),
  rows: Count,
  isAtLeast: z.boolean().meta({ description: 'Whether counting stopped at `rows`, so that there may be more' }),
  estimatedBytes: Count.meta({
    description: 'Estimated size, from the average size of a row across all organizations',
  }),
});
export type StoredRows = z.infer<typeof StoredRows>;

/** An organization, without payloads and secrets. */
export const OrganizationDetail = OrganizationOverview.extend({
  members: z
    .array(z.object({ userId: Id, email: z.string(), name: z.string().nullable(), role: RoleName, createdAt: Time }))
    .meta({ description: 'At most 100, owners first' }),
  projects: z
    .array(z.object({ id: Id, name: z.string(), createdAt: Time, deletedAt: Time.nullable() }))
    .meta({ description: 'At most 100, newest first' }),
  counts: z.object({
    invitations: Count,
    apiKeys: Count,
    endpoints: Count,
    subscriptions: Count,
    sources: Count,
    destinations: Count,
    tunnels: Count,
  }),
  storage: z.array(StoredRows),
});
export type OrganizationDetail = z.infer<typeof OrganizationDetail>;

export const SearchUsersQuery = PageQuery.extend({
  email: z
    .string()
    .max(1024, 'is too long')
    .transform(foldEmail)
    .pipe(StorableText)
    .optional()
    .meta({ description: 'An email address, or the start of one; case and surrounding spaces are ignored' }),
});
export type SearchUsersQuery = z.infer<typeof SearchUsersQuery>;

/** A person as the operator sees them: what helps to restore access, without secrets. */
export const UserRecord = z.object({
  id: Id,
  email: z.string(),
  name: z.string().nullable(),
  createdAt: Time,
  emailVerified: z.boolean(),
  hasPassword: z.boolean(),
  providers: z.array(z.string()).meta({ description: 'Names of the linked identity providers' }),
  lockout: z
    .object({ failures: Count, lockedUntil: Time.nullable() })
    .nullable()
    .meta({ description: 'Failed sign-ins within the window, and the end of the lockout; null if there are none' }),
  openSessions: Count,
  organizations: z.array(z.object({ id: Id, name: z.string(), role: RoleName })),
});
export type UserRecord = z.infer<typeof UserRecord>;

export const ListAllAuditQuery = ListAuditQuery.extend({ organizationId: Id.optional() });
export type ListAllAuditQuery = z.infer<typeof ListAllAuditQuery>;

export const TableSize = z.object({ table: z.string(), estimatedRows: Count, sizeBytes: Count });
export type TableSize = z.infer<typeof TableSize>;

/** A worker process seen within the last day, unless it has stopped regularly. */
export const WorkerRecord = z.object({
  id: Id,
  hostname: z.string(),
  pid: Count,
  version: z.string(),
  startedAt: Time,
  lastSeenAt: Time,
  lastPassAt: Time.nullable().meta({ description: 'When it last polled without an error; null if never' }),
  alive: z.boolean().meta({ description: 'Whether it was seen within the last 30 seconds' }),
  underWay: Count.meta({ description: 'Attempts in progress when it was last seen' }),
  waiting: Count.meta({ description: 'Deliveries it had leased but not yet sent' }),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;

const Backlog = z.object({ pending: Count, oldestPendingAt: Time.nullable(), dead: Count });

/** The deployment in figures. */
export const Stats = z.object({
  organizations: z.object({ living: Count, beingRemoved: Count }),
  users: Count,
  projects: Count,
  endpoints: z.object({ enabled: Count, paused: Count, disabled: Count }).meta({
    description: 'People pause an endpoint; the service disables one that keeps failing or is gone',
  }),
  last24Hours: z.object({
    events: Count,
    incomingEvents: Count,
    deliveries: z
      .object({ pending: Count, queued: Count, retrying: Count, succeeded: Count, failed: Count })
      .meta({ description: 'Number of deliveries by current status' }),
  }),
  outbox: Backlog.meta({ description: 'Events waiting for fan-out to endpoints' }),
  mail: Backlog,
  deliveries: z.object({
    pending: Count,
    queued: Count,
    retrying: Count,
    due: Count.meta({ description: 'Deliveries that are due' }),
    oldestDueAt: Time.nullable(),
  }),
  workers: z
    .array(WorkerRecord)
    .meta({ description: 'At most 100: live ones first, then by when they were last seen' }),
  database: z.object({ sizeBytes: Count, tables: z.array(TableSize) }),
});
export type Stats = z.infer<typeof Stats>;

/** The operator can run every job. */
export const RetentionJob = z.enum(RETENTION_JOBS);
export type RetentionJob = z.infer<typeof RetentionJob>;

export const RunRetentionBody = z.strictObject({ job: RetentionJob });
export type RunRetentionBody = z.infer<typeof RunRetentionBody>;

/** A class of data over the entire deployment. */
export const RetainedData = RetentionRule.extend({
  table: z.string(),
  estimatedRows: Count.nullable().meta({
    description:
      'Estimated number of rows in the class, from statistics; null for the cap, which applies to every class of attempts',
  }),
  sizeBytes: Count.nullable(),
  oldestAt: Time.nullable(),
  removedRows: Count.meta({
    description: 'Total number of rows that retention has removed from the table; for attempts, by all rules combined',
  }),
  removedByLastRun: Count.meta({
    description: 'Number of rows removed by the last finished run of `main` or `burst`; for the cap, of `cap`',
  }),
  warning: z.enum(['growing', 'overdue']).nullable().meta({
    description:
      '`growing`: the table grows while nothing is removed; `overdue`: the oldest row should have been removed',
  }),
});
export type RetainedData = z.infer<typeof RetainedData>;

export const DayState = z.enum(['ahead', 'today', 'kept', 'expired']);
export type DayState = z.infer<typeof DayState>;

export const PartitionDay = z.object({
  day: z.iso.date(),
  estimatedRows: Count,
  sizeBytes: Count,
  state: DayState,
});
export type PartitionDay = z.infer<typeof PartitionDay>;

/** A table that is partitioned by UTC day. */
export const PartitionedTable = z.object({
  table: z.string(),
  keptDays: Count.meta({ description: 'Days that a row is kept' }),
  defaultRows: Count.meta({
    description:
      'Exact number of rows in the default partition; any other number than 0 means that a partition was missing',
  }),
  defaultSizeBytes: Count,
  days: z.array(PartitionDay).meta({ description: 'The partitions by day, newest first' }),
});
export type PartitionedTable = z.infer<typeof PartitionedTable>;

/** The schedule of a job: a cron in UTC or an interval; the job never runs on its own when both are null. */
export const JobSchedule = z.object({
  job: RetentionJob,
  cron: z.string().nullable(),
  everyMs: Count.nullable(),
  nextRunAt: Time.nullable().meta({
    description:
      'When it runs next; null if the job never runs on its own, or is due as soon as a retention process runs',
  }),
});
export type JobSchedule = z.infer<typeof JobSchedule>;

export const RetentionState = z.object({
  partitionMaintenanceEnabled: z.boolean(),
  jobs: z.array(RetentionJob).meta({ description: 'The jobs that `POST /admin/retention/run` accepts' }),
  classes: z.array(RetainedData),
  tables: z.array(PartitionedTable),
  schedules: z.array(JobSchedule),
  lastRuns: z.array(RetentionRun),
});
export type RetentionState = z.infer<typeof RetentionState>;
