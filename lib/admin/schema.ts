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
  /** Part of the name; case does not matter. */
  name: text(100).optional(),
  /** True: only organizations that are being removed. False: only the others. */
  deleted: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional(),
});
export type ListAllOrganizationsQuery = z.infer<typeof ListAllOrganizationsQuery>;

/** An organization in the operator's list. */
export const OrganizationOverview = z.object({
  id: Id,
  name: z.string(),
  createdAt: Time,
  /** Set while its data is being removed. */
  deletedAt: Time.nullable(),
  memberCount: Count,
  projectCount: Count,
});
export type OrganizationOverview = z.infer<typeof OrganizationOverview>;

/** Rows of one kind that an organization stores, and their estimated size. The number of attempts is an estimate too. */
export const StoredRows = z.object({
  kind: z.enum(['events', 'incomingEvents', 'deliveries', 'attempts']),
  rows: Count,
  /** Counting stopped at `rows`: there may be more. */
  isAtLeast: z.boolean(),
  /** From the average size of a row over all organizations. */
  estimatedBytes: Count,
});
export type StoredRows = z.infer<typeof StoredRows>;

/** An organization, without payloads and secrets. */
export const OrganizationDetail = OrganizationOverview.extend({
  /** At most a hundred, owners first. */
  members: z.array(
    z.object({ userId: Id, email: z.string(), name: z.string().nullable(), role: RoleName, createdAt: Time }),
  ),
  /** At most a hundred, newest first. */
  projects: z.array(z.object({ id: Id, name: z.string(), createdAt: Time, deletedAt: Time.nullable() })),
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
  /** An address or its beginning; case and surrounding spaces do not matter. */
  email: z.string().max(1024, 'is too long').transform(foldEmail).pipe(StorableText).optional(),
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
  /** Names of the linked identity providers. */
  providers: z.array(z.string()),
  /** Failed sign-ins within the window, and the end of the lockout; null without failures. */
  lockout: z.object({ failures: Count, lockedUntil: Time.nullable() }).nullable(),
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
  /** When it last polled without an error; null before that. */
  lastPassAt: Time.nullable(),
  /** Whether it was seen within the last 30 seconds. */
  alive: z.boolean(),
  /** Attempts in progress when it was last seen. */
  underWay: Count,
  /** Deliveries that it had leased and not sent. */
  waiting: Count,
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;

const Backlog = z.object({ pending: Count, oldestPendingAt: Time.nullable(), dead: Count });

/** The deployment in figures. */
export const Stats = z.object({
  organizations: z.object({ living: Count, beingRemoved: Count }),
  users: Count,
  projects: Count,
  endpoints: z.object({ enabled: Count, disabled: Count }),
  last24Hours: z.object({
    events: Count,
    incomingEvents: Count,
    /** By their present status. */
    deliveries: z.object({ pending: Count, succeeded: Count, failed: Count }),
  }),
  /** Events that wait for their fan-out to endpoints. */
  outbox: Backlog,
  mail: Backlog,
  deliveries: z.object({
    pending: Count,
    /** Those that are due. */
    due: Count,
    oldestDueAt: Time.nullable(),
  }),
  /** At most a hundred: alive ones first, then by the time they were last seen. */
  workers: z.array(WorkerRecord),
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
  /** Rows of the class, from statistics; null for the cap, which applies to every class of attempts. */
  estimatedRows: Count.nullable(),
  sizeBytes: Count.nullable(),
  oldestAt: Time.nullable(),
  /** Rows that retention has ever removed from the table, for attempts by all rules together. */
  removedRows: Count,
  /** Rows removed by the last run that ended: of `main` or `burst`, for the cap of `cap`. */
  removedByLastRun: Count,
  /** `growing`: the table grows while nothing is removed; `overdue`: the oldest row should have been removed. */
  warning: z.enum(['growing', 'overdue']).nullable(),
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
  /** How long a row is kept. */
  keptDays: Count,
  /** Exact count. Anything but zero means that a partition was missing. */
  defaultRows: Count,
  defaultSizeBytes: Count,
  /** Newest first. */
  days: z.array(PartitionDay),
});
export type PartitionedTable = z.infer<typeof PartitionedTable>;

/** The schedule of a job: a cron in UTC or an interval; the job never runs on its own when both are null. */
export const JobSchedule = z.object({
  job: RetentionJob,
  cron: z.string().nullable(),
  everyMs: Count.nullable(),
  /** Null when the job never runs on its own, or is due as soon as a retention process runs. */
  nextRunAt: Time.nullable(),
});
export type JobSchedule = z.infer<typeof JobSchedule>;

export const RetentionState = z.object({
  partitionMaintenanceEnabled: z.boolean(),
  /** The jobs that POST /admin/retention/run accepts. */
  jobs: z.array(RetentionJob),
  classes: z.array(RetainedData),
  tables: z.array(PartitionedTable),
  schedules: z.array(JobSchedule),
  lastRuns: z.array(RetentionRun),
});
export type RetentionState = z.infer<typeof RetentionState>;
