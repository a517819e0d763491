import * as z from 'zod';
import { foldEmail } from '@/lib/accounts/email-address';
import { ListAuditQuery } from '@/lib/audit/schema';
import { RoleName } from '@/lib/orgs/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { StorableText, text } from '@/lib/platform/text';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { RetentionRule, RetentionRun } from '@/lib/retention/schema';

const Count = z.int().min(0);

export const ListAllOrganizationsQuery = PageQuery.extend({
  name: field(text(100).optional(), 'Part of the name, case-insensitive'),
  deleted: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional()
    .meta({
      openapi: { type: 'boolean' },
      description: '`true`: only organizations that are being removed. `false`: only the others',
    }),
});
export type ListAllOrganizationsQuery = z.infer<typeof ListAllOrganizationsQuery>;

/** An organization in the operator's list. */
export const OrganizationOverview = z.object({
  id: Id,
  name: field(z.string(), 'Its name', 'Analytical Engines'),
  createdAt: CreatedAt,
  deletedAt: field(Time.nullable(), 'When it was deleted; set while its data is being removed', null),
  memberCount: field(Count, 'Number of members'),
  projectCount: field(Count, 'Number of projects'),
});
export type OrganizationOverview = z.infer<typeof OrganizationOverview>;

/** Rows of one kind that an organization stores, and their estimated size. The number of attempts is an estimate too. */
export const StoredRows = z.object({
  kind: field(z.enum(['events', 'incomingEvents', 'deliveries', 'attempts']), 'The kind of rows'),
  rows: field(Count, 'Number of rows', 23410),
  isAtLeast: field(z.boolean(), 'Whether counting stopped at `rows`, so that there may be more', false),
  estimatedBytes: field(Count, 'Estimated size, from the average size of a row across all organizations', 8192000),
});
export type StoredRows = z.infer<typeof StoredRows>;

export const MemberOverview = z.object({
  userId: field(Id, 'The person'),
  email: field(z.string(), 'An email address, case-insensitive', 'grace@example.com'),
  name: field(z.string().nullable(), 'The person’s name; null if not set', 'Grace Hopper'),
  role: field(RoleName, 'The person’s role in the organization'),
  createdAt: CreatedAt,
});

export const ProjectOverview = z.object({
  id: Id,
  name: field(z.string(), 'Its name', 'Web shop'),
  createdAt: CreatedAt,
  deletedAt: field(Time.nullable(), 'When it was deleted; null unless its data is being removed', null),
});

/** An organization, without payloads and secrets. */
export const OrganizationDetail = OrganizationOverview.extend({
  cell: field(z.string(), 'The cell of its data', 'cell_00'),
  members: field(z.array(MemberOverview), 'At most 100, owners first'),
  projects: field(z.array(ProjectOverview), 'At most 100, newest first'),
  counts: field(
    z.object({
      invitations: field(Count, 'Pending invitations'),
      apiKeys: field(Count, 'API keys'),
      endpoints: field(Count, 'Endpoints'),
      subscriptions: field(Count, 'Subscriptions'),
      sources: field(Count, 'Sources'),
      destinations: field(Count, 'Destinations'),
      tunnels: field(Count, 'Tunnels'),
    }),
    'Number of each resource',
  ),
  storage: field(z.array(StoredRows), 'Stored data, by kind'),
});
export type OrganizationDetail = z.infer<typeof OrganizationDetail>;

export const SearchUsersQuery = PageQuery.extend({
  email: field(
    z.string().max(1024, 'is too long').transform(foldEmail).pipe(StorableText).optional(),
    'An email address, or the start of one; case and surrounding spaces are ignored',
  ),
});
export type SearchUsersQuery = z.infer<typeof SearchUsersQuery>;

/** A person as the operator sees them: what helps to restore access, without secrets. */
export const UserRecord = z.object({
  id: Id,
  email: field(z.string(), 'An email address, case-insensitive', 'grace@example.com'),
  name: field(z.string().nullable(), 'The person’s name; null if not set', 'Grace Hopper'),
  createdAt: CreatedAt,
  emailVerified: field(z.boolean(), 'Whether the email address is confirmed'),
  hasPassword: field(
    z.boolean(),
    'False for an account created through the identity provider, until a password is added',
  ),
  providers: field(z.array(z.string()), 'Names of the linked identity providers', ['Google']),
  lockout: field(
    z
      .object({
        failures: field(Count, 'Number of failed sign-ins'),
        lockedUntil: field(Time.nullable(), 'When the lockout ends; null while the account is not locked'),
      })
      .nullable(),
    'Failed sign-ins within the window, and the end of the lockout; null if there are none',
  ),
  openSessions: field(Count, 'Number of open sessions'),
  organizations: field(
    z.array(
      z.object({
        id: Id,
        name: field(z.string(), 'Its name', 'Analytical Engines'),
        role: field(RoleName, 'The person’s role in the organization'),
      }),
    ),
    'The person’s organizations',
  ),
});
export type UserRecord = z.infer<typeof UserRecord>;

export const ListAllAuditQuery = ListAuditQuery.extend({
  organizationId: field(Id.optional(), 'Only entries of this organization'),
});
export type ListAllAuditQuery = z.infer<typeof ListAllAuditQuery>;

export const TableSize = z.object({
  table: field(z.string(), 'The table', 'events'),
  estimatedRows: field(Count, 'Estimated number of rows, from statistics', 23410),
  sizeBytes: field(Count, 'Size on disk in bytes', 8192000),
});
export type TableSize = z.infer<typeof TableSize>;

/** A worker process seen within the last day, unless it has stopped regularly. */
export const WorkerRecord = z.object({
  id: Id,
  hostname: field(z.string(), 'Name of the machine', 'worker-1'),
  pid: field(Count, 'The process id', 4711),
  version: field(z.string(), 'The version of the service', '0.1.0'),
  startedAt: field(Time, 'When it started'),
  lastSeenAt: field(Time, 'When it was last seen'),
  lastPassAt: field(Time.nullable(), 'When it last polled without an error; null if never'),
  alive: field(z.boolean(), 'Whether it was seen within the last 30 seconds'),
  underWay: field(Count, 'Attempts in progress when it was last seen'),
  waiting: field(Count, 'Deliveries it had leased but not yet sent'),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;

const Backlog = z.object({
  pending: field(Count, 'Waiting', 0),
  oldestPendingAt: field(Time.nullable(), 'When the oldest one was queued; null if there are none', null),
  dead: field(Count, 'Given up after several tries', 0),
});

/** The deployment in figures. */
export const Stats = z.object({
  organizations: field(
    z.object({
      living: field(Count, 'Active organizations'),
      beingRemoved: field(Count, 'Organizations whose data is being removed'),
    }),
    'Organizations of the deployment',
  ),
  users: field(Count, 'Number of accounts'),
  projects: field(Count, 'Number of projects'),
  endpoints: field(
    z.object({
      enabled: field(Count, 'Endpoints that receive deliveries'),
      paused: field(Count, 'Endpoints that people have paused'),
      disabled: field(Count, 'Endpoints that the service has disabled because they kept failing or were gone'),
    }),
    'People pause an endpoint; the service disables one that keeps failing or is gone',
  ),
  last24Hours: field(
    z.object({
      events: field(Count, 'Number of stored events'),
      incomingEvents: field(Count, 'Number of stored incoming events'),
      deliveries: field(
        z.object({
          pending: field(Count, 'Queued or retrying', 0),
          queued: field(Count, 'Waiting for the first attempt'),
          retrying: field(Count, 'Waiting for another attempt'),
          succeeded: field(Count, 'Finished with a 2xx response'),
          failed: field(Count, 'Failed, with no more attempts', 0),
        }),
        'Number of deliveries by current status',
      ),
    }),
    'Activity of the last 24 hours',
  ),
  outbox: field(Backlog, 'Events waiting for fan-out to endpoints'),
  mail: field(Backlog, 'Emails that have not been sent yet'),
  deliveries: field(
    z.object({
      pending: field(Count, 'Queued or retrying', 0),
      queued: field(Count, 'Waiting for the first attempt'),
      retrying: field(Count, 'Waiting for another attempt'),
      due: field(Count, 'Deliveries that are due'),
      oldestDueAt: field(Time.nullable(), 'When the oldest one was due; null if none is'),
    }),
    'Unfinished deliveries',
  ),
  workers: field(z.array(WorkerRecord), 'At most 100: live ones first, then by when they were last seen'),
  database: field(
    z.object({
      sizeBytes: field(Count, 'Size on disk in bytes', 8192000),
      tables: field(z.array(TableSize), 'The largest tables'),
    }),
    'The database',
  ),
});
export type Stats = z.infer<typeof Stats>;

/** The operator can run every job. */
export const RetentionJob = z.enum(RETENTION_JOBS);
export type RetentionJob = z.infer<typeof RetentionJob>;

export const RunRetentionBody = z.strictObject({ job: field(RetentionJob, 'The cleanup job') });
export type RunRetentionBody = z.infer<typeof RunRetentionBody>;

/** A class of data over the entire deployment. */
export const RetainedData = RetentionRule.extend({
  table: field(z.string(), 'The table', 'events'),
  estimatedRows: field(
    Count.nullable(),
    'Estimated number of rows in the class, from statistics; null for the cap, which applies to every class of attempts',
    23410,
  ),
  sizeBytes: field(Count.nullable(), 'Size on disk in bytes; null if unknown', 8192000),
  oldestAt: field(Time.nullable(), 'When the oldest row was created; null if there are no rows'),
  removedRows: field(
    Count,
    'Total number of rows that retention has removed from the table; for attempts, by all rules combined',
    87000,
  ),
  removedByLastRun: field(
    Count,
    'Number of rows removed by the last finished run of `main` or `burst`; for the cap, of `cap`',
    1200,
  ),
  warning: field(
    z.enum(['growing', 'overdue']).nullable(),
    '`growing`: the table grows while nothing is removed; `overdue`: the oldest row should have been removed',
    null,
  ),
});
export type RetainedData = z.infer<typeof RetainedData>;

export const DayState = z.enum(['ahead', 'today', 'kept', 'expired']);
export type DayState = z.infer<typeof DayState>;

export const PartitionDay = z.object({
  day: field(z.iso.date(), 'The UTC day'),
  estimatedRows: field(Count, 'Estimated number of rows, from statistics', 23410),
  sizeBytes: field(Count, 'Size on disk in bytes', 8192000),
  state: field(DayState, '`ahead` of today, `today`, `kept`, or `expired`', 'today'),
});
export type PartitionDay = z.infer<typeof PartitionDay>;

/** A table that is partitioned by UTC day. */
export const PartitionedTable = z.object({
  table: field(z.string(), 'The table', 'delivery_attempts'),
  keptDays: field(Count, 'Days that a row is kept', 90),
  defaultRows: field(
    Count,
    'Exact number of rows in the default partition; any other number than 0 means that a partition was missing',
    0,
  ),
  defaultSizeBytes: field(Count, 'Size of the default partition in bytes', 8192),
  days: field(z.array(PartitionDay), 'The partitions by day, newest first'),
});
export type PartitionedTable = z.infer<typeof PartitionedTable>;

/** The schedule of a job: a cron in UTC or an interval; the job never runs on its own when both are null. */
export const JobSchedule = z.object({
  job: field(RetentionJob, 'The cleanup job'),
  cron: field(z.string().nullable(), 'Schedule as a cron expression with five or six fields, in UTC', '0 2 * * *'),
  everyMs: field(Count.nullable(), 'Milliseconds between runs; null for a job with a cron expression'),
  nextRunAt: field(
    Time.nullable(),
    'When it runs next; null if the job never runs on its own, or is due as soon as a retention process runs',
  ),
});
export type JobSchedule = z.infer<typeof JobSchedule>;

export const RetentionState = z.object({
  partitionMaintenanceEnabled: field(z.boolean(), 'Whether the service creates and drops partitions'),
  jobs: field(z.array(RetentionJob), 'The jobs that `POST /admin/retention/run` accepts'),
  classes: field(z.array(RetainedData), 'The rule of each class of data, and the rows it applies to'),
  tables: field(z.array(PartitionedTable), 'The largest tables'),
  schedules: field(z.array(JobSchedule), 'When each job runs'),
  lastRuns: field(z.array(RetentionRun), 'The last run of each job'),
});
export type RetentionState = z.infer<typeof RetentionState>;
