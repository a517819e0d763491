import * as z from 'zod';
import { foldEmail } from '@/lib/accounts/email-address';
import { ListAuditQuery } from '@/lib/audit/schema';
import { RoleName } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { StorableText, text } from '@/lib/platform/text';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { RetentionRule, RetentionRun } from '@/lib/retention/schema';

const Count = z.int().min(0);

export const ListAllOrganizationsQuery = PageQuery.extend({
  name: text(100).optional().meta({ description: 'Part of the name, case-insensitive' }),
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
  name: z.string().meta({ description: 'Its name', examples: ['Analytical Engines'] }),
  createdAt: CreatedAt,
  deletedAt: Time.nullable().meta({
    description: 'When it was deleted; set while its data is being removed',
    examples: [null],
  }),
  memberCount: Count.meta({ description: 'Number of members' }),
  projectCount: Count.meta({ description: 'Number of projects' }),
});
export type OrganizationOverview = z.infer<typeof OrganizationOverview>;

/** Rows of one kind that an organization stores, and their estimated size. The number of attempts is an estimate too. */
export const StoredRows = z.object({
  kind: z.enum(['events', 'incomingEvents', 'deliveries', 'attempts']).meta({ description: 'The kind of rows' }),
  rows: Count.meta({ description: 'Number of rows', examples: [23410] }),
  isAtLeast: z
    .boolean()
    .meta({ description: 'Whether counting stopped at `rows`, so that there may be more', examples: [false] }),
  estimatedBytes: Count.meta({
    description: 'Estimated size, from the average size of a row across all organizations',
    examples: [8192000],
  }),
});
export type StoredRows = z.infer<typeof StoredRows>;

/** An organization, without payloads and secrets. */
export const OrganizationDetail = OrganizationOverview.extend({
  members: z
    .array(
      z.object({
        userId: Id.meta({ description: 'The person' }),
        email: z.string().meta({ description: 'An email address, case-insensitive', examples: ['grace@example.com'] }),
        name: z
          .string()
          .nullable()
          .meta({ description: 'The person’s name; null if not set', examples: ['Grace Hopper'] }),
        role: RoleName.meta({ description: 'The person’s role in the organization' }),
        createdAt: CreatedAt,
      }),
    )
    .meta({ description: 'At most 100, owners first' }),
  projects: z
    .array(
      z.object({
        id: Id,
        name: z.string().meta({ description: 'Its name', examples: ['Web shop'] }),
        createdAt: CreatedAt,
        deletedAt: Time.nullable().meta({
          description: 'When it was deleted; null unless its data is being removed',
          examples: [null],
        }),
      }),
    )
    .meta({ description: 'At most 100, newest first' }),
  counts: z
    .object({
      invitations: Count.meta({ description: 'Pending invitations' }),
      apiKeys: Count.meta({ description: 'API keys' }),
      endpoints: Count.meta({ description: 'Endpoints' }),
      subscriptions: Count.meta({ description: 'Subscriptions' }),
      sources: Count.meta({ description: 'Sources' }),
      destinations: Count.meta({ description: 'Destinations' }),
      tunnels: Count.meta({ description: 'Tunnels' }),
    })
    .meta({ description: 'Number of each resource' }),
  storage: z.array(StoredRows).meta({ description: 'Stored data, by kind' }),
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
  email: z.string().meta({ description: 'An email address, case-insensitive', examples: ['grace@example.com'] }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'The person’s name; null if not set', examples: ['Grace Hopper'] }),
  createdAt: CreatedAt,
  emailVerified: z.boolean().meta({ description: 'Whether the email address is confirmed' }),
  hasPassword: z
    .boolean()
    .meta({ description: 'False for an account created through the identity provider, until a password is added' }),
  providers: z
    .array(z.string())
    .meta({ description: 'Names of the linked identity providers', examples: [['Google']] }),
  lockout: z
    .object({
      failures: Count.meta({ description: 'Number of failed sign-ins' }),
      lockedUntil: Time.nullable().meta({ description: 'When the lockout ends; null while the account is not locked' }),
    })
    .nullable()
    .meta({ description: 'Failed sign-ins within the window, and the end of the lockout; null if there are none' }),
  openSessions: Count.meta({ description: 'Number of open sessions' }),
  organizations: z
    .array(
      z.object({
        id: Id,
        name: z.string().meta({ description: 'Its name', examples: ['Analytical Engines'] }),
        role: RoleName.meta({ description: 'The person’s role in the organization' }),
      }),
    )
    .meta({ description: 'The person’s organizations' }),
});
export type UserRecord = z.infer<typeof UserRecord>;

export const ListAllAuditQuery = ListAuditQuery.extend({
  organizationId: Id.optional().meta({ description: 'Only entries of this organization' }),
});
export type ListAllAuditQuery = z.infer<typeof ListAllAuditQuery>;

export const TableSize = z.object({
  table: z.string().meta({ description: 'The table', examples: ['events'] }),
  estimatedRows: Count.meta({ description: 'Estimated number of rows, from statistics', examples: [23410] }),
  sizeBytes: Count.meta({ description: 'Size on disk in bytes', examples: [8192000] }),
});
export type TableSize = z.infer<typeof TableSize>;

/** A worker process seen within the last day, unless it has stopped regularly. */
export const WorkerRecord = z.object({
  id: Id,
  hostname: z.string().meta({ description: 'Name of the machine', examples: ['worker-1'] }),
  pid: Count.meta({ description: 'The process id', examples: [4711] }),
  version: z.string().meta({ description: 'The version of the service', examples: ['0.1.0'] }),
  startedAt: Time.meta({ description: 'When it started' }),
  lastSeenAt: Time.meta({ description: 'When it was last seen' }),
  lastPassAt: Time.nullable().meta({ description: 'When it last polled without an error; null if never' }),
  alive: z.boolean().meta({ description: 'Whether it was seen within the last 30 seconds' }),
  underWay: Count.meta({ description: 'Attempts in progress when it was last seen' }),
  waiting: Count.meta({ description: 'Deliveries it had leased but not yet sent' }),
});
export type WorkerRecord = z.infer<typeof WorkerRecord>;

const Backlog = z.object({
  pending: Count.meta({ description: 'Waiting', examples: [0] }),
  oldestPendingAt: Time.nullable().meta({
    description: 'When the oldest one was queued; null if there are none',
    examples: [null],
  }),
  dead: Count.meta({ description: 'Given up after several tries', examples: [0] }),
});

/** The deployment in figures. */
export const Stats = z.object({
  organizations: z
    .object({
      living: Count.meta({ description: 'Active organizations' }),
      beingRemoved: Count.meta({ description: 'Organizations whose data is being removed' }),
    })
    .meta({ description: 'Organizations of the deployment' }),
  users: Count.meta({ description: 'Number of accounts' }),
  projects: Count.meta({ description: 'Number of projects' }),
  endpoints: z
    .object({
      enabled: Count.meta({ description: 'Endpoints that receive deliveries' }),
      paused: Count.meta({ description: 'Endpoints that people have paused' }),
      disabled: Count.meta({
        description: 'Endpoints that the service has disabled because they kept failing or were gone',
      }),
    })
    .meta({
      description: 'People pause an endpoint; the service disables one that keeps failing or is gone',
    }),
  last24Hours: z
    .object({
      events: Count.meta({ description: 'Number of stored events' }),
      incomingEvents: Count.meta({ description: 'Number of stored incoming events' }),
      deliveries: z
        .object({
          pending: Count.meta({ description: 'Queued or retrying', examples: [0] }),
          queued: Count.meta({ description: 'Waiting for the first attempt' }),
          retrying: Count.meta({ description: 'Waiting for another attempt' }),
          succeeded: Count.meta({ description: 'Finished with a 2xx response' }),
          failed: Count.meta({ description: 'Failed, with no more attempts', examples: [0] }),
        })
        .meta({ description: 'Number of deliveries by current status' }),
    })
    .meta({ description: 'Activity of the last 24 hours' }),
  outbox: Backlog.meta({ description: 'Events waiting for fan-out to endpoints' }),
  mail: Backlog.meta({ description: 'Emails that have not been sent yet' }),
  deliveries: z
    .object({
      pending: Count.meta({ description: 'Queued or retrying', examples: [0] }),
      queued: Count.meta({ description: 'Waiting for the first attempt' }),
      retrying: Count.meta({ description: 'Waiting for another attempt' }),
      due: Count.meta({ description: 'Deliveries that are due' }),
      oldestDueAt: Time.nullable().meta({ description: 'When the oldest one was due; null if none is' }),
    })
    .meta({ description: 'Unfinished deliveries' }),
  workers: z
    .array(WorkerRecord)
    .meta({ description: 'At most 100: live ones first, then by when they were last seen' }),
  database: z
    .object({
      sizeBytes: Count.meta({ description: 'Size on disk in bytes', examples: [8192000] }),
      tables: z.array(TableSize).meta({ description: 'The largest tables' }),
    })
    .meta({ description: 'The database' }),
});
export type Stats = z.infer<typeof Stats>;

/** The operator can run every job. */
export const RetentionJob = z.enum(RETENTION_JOBS);
export type RetentionJob = z.infer<typeof RetentionJob>;

export const RunRetentionBody = z.strictObject({ job: RetentionJob.meta({ description: 'The cleanup job' }) });
export type RunRetentionBody = z.infer<typeof RunRetentionBody>;

/** A class of data over the entire deployment. */
export const RetainedData = RetentionRule.extend({
  table: z.string().meta({ description: 'The table', examples: ['events'] }),
  estimatedRows: Count.nullable().meta({
    description:
      'Estimated number of rows in the class, from statistics; null for the cap, which applies to every class of attempts',
    examples: [23410],
  }),
  sizeBytes: Count.nullable().meta({ description: 'Size on disk in bytes; null if unknown', examples: [8192000] }),
  oldestAt: Time.nullable().meta({ description: 'When the oldest row was created; null if there are no rows' }),
  removedRows: Count.meta({
    description: 'Total number of rows that retention has removed from the table; for attempts, by all rules combined',
    examples: [87000],
  }),
  removedByLastRun: Count.meta({
    description: 'Number of rows removed by the last finished run of `main` or `burst`; for the cap, of `cap`',
    examples: [1200],
  }),
  warning: z
    .enum(['growing', 'overdue'])
    .nullable()
    .meta({
      description:
        '`growing`: the table grows while nothing is removed; `overdue`: the oldest row should have been removed',
      examples: [null],
    }),
});
export type RetainedData = z.infer<typeof RetainedData>;

export const DayState = z.enum(['ahead', 'today', 'kept', 'expired']);
export type DayState = z.infer<typeof DayState>;

export const PartitionDay = z.object({
  day: z.iso.date().meta({ description: 'The UTC day' }),
  estimatedRows: Count.meta({ description: 'Estimated number of rows, from statistics', examples: [23410] }),
  sizeBytes: Count.meta({ description: 'Size on disk in bytes', examples: [8192000] }),
  state: DayState.meta({ description: '`ahead` of today, `today`, `kept`, or `expired`', examples: ['today'] }),
});
export type PartitionDay = z.infer<typeof PartitionDay>;

/** A table that is partitioned by UTC day. */
export const PartitionedTable = z.object({
  table: z.string().meta({ description: 'The table', examples: ['delivery_attempts'] }),
  keptDays: Count.meta({ description: 'Days that a row is kept', examples: [90] }),
  defaultRows: Count.meta({
    description:
      'Exact number of rows in the default partition; any other number than 0 means that a partition was missing',
    examples: [0],
  }),
  defaultSizeBytes: Count.meta({ description: 'Size of the default partition in bytes', examples: [8192] }),
  days: z.array(PartitionDay).meta({ description: 'The partitions by day, newest first' }),
});
export type PartitionedTable = z.infer<typeof PartitionedTable>;

/** The schedule of a job: a cron in UTC or an interval; the job never runs on its own when both are null. */
export const JobSchedule = z.object({
  job: RetentionJob.meta({ description: 'The cleanup job' }),
  cron: z
    .string()
    .nullable()
    .meta({ description: 'Schedule as a cron expression with five or six fields, in UTC', examples: ['0 2 * * *'] }),
  everyMs: Count.nullable().meta({
    description: 'Milliseconds between runs; null for a job with a cron expression',
  }),
  nextRunAt: Time.nullable().meta({
    description:
      'When it runs next; null if the job never runs on its own, or is due as soon as a retention process runs',
  }),
});
export type JobSchedule = z.infer<typeof JobSchedule>;

export const RetentionState = z.object({
  partitionMaintenanceEnabled: z.boolean().meta({ description: 'Whether the service creates and drops partitions' }),
  jobs: z.array(RetentionJob).meta({ description: 'The jobs that `POST /admin/retention/run` accepts' }),
  classes: z.array(RetainedData).meta({ description: 'The rule of each class of data, and the rows it applies to' }),
  tables: z.array(PartitionedTable).meta({ description: 'The largest tables' }),
  schedules: z.array(JobSchedule).meta({ description: 'When each job runs' }),
  lastRuns: z.array(RetentionRun).meta({ description: 'The last run of each job' }),
});
export type RetentionState = z.infer<typeof RetentionState>;
