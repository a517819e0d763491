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
  /** Contained in the name, in any case. */
  name: text(100).optional(),
  /** Only those that are deleted and not yet removed, or only the living ones. */
  deleted: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional(),
});
export type ListAllOrganizationsQuery = z.infer<typeof ListAllOrganizationsQuery>;

/** An organization as the operator lists it. */
export const OrganizationOverview = z.object({
  id: Id,
  name: z.string(),
  createdAt: Time,
  /** Set while what it owned is being removed. */
  deletedAt: Time.nullable(),
  memberCount: Count,
  projectCount: Count,
});
export type OrganizationOverview = z.infer<typeof OrganizationOverview>;

/** Rows of one kind that an organization has stored, attempts by an estimate, and the room they take. */
export const StoredRows = z.object({
  kind: z.enum(['events', 'incomingEvents', 'deliveries', 'attempts']),
  rows: Count,
  /** Counting stopped there: there are at least so many. */
  isAtLeast: z.boolean(),
  /** By the average size of a row of all organizations. */
  estimatedBytes: Count,
});
export type StoredRows = z.infer<typeof StoredRows>;

/** One organization, without anything it sends, receives or keeps secret. */
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
  /** A whole address or its beginning; case and surrounding spaces do not matter. */
  email: z.string().max(1024, 'is too long').transform(foldEmail).pipe(StorableText).optional(),
});
export type SearchUsersQuery = z.infer<typeof SearchUsersQuery>;

/** A person as the operator sees them: what helps them in again, and nothing that would let anybody in. */
export const UserRecord = z.object({
  id: Id,
  email: z.string(),
  name: z.string().nullable(),
  createdAt: Time,
  emailVerified: z.boolean(),
  hasPassword: z.boolean(),
  /** Names of the identity providers that are linked. */
  providers: z.array(z.string()),
  /** Failed sign-ins within the window, and until when they lock the address out; null when there are none. */
  lockout: z.object({ failures: Count, lockedUntil: Time.nullable() }).nullable(),
  openSessions: Count,
  organizations: z.array(z.object({ id: Id, name: z.string(), role: RoleName })),
});
export type UserRecord = z.infer<typeof UserRecord>;

export const ListWholeAuditQuery = ListAuditQuery.extend({ organizationId: Id.optional() });
export type ListWholeAuditQuery = z.infer<typeof ListWholeAuditQuery>;

export const TableSize = z.object({ table: z.string(), estimatedRows: Count, sizeBytes: Count });
export type TableSize = z.infer<typeof TableSize>;

/** A worker process of the last day; those that stopped by themselves are not among them. */
export const WorkerRecord = z.object({
  id: Id,
  hostname: z.string(),
  pid: Count,
  version: z.string(),
  startedAt: Time,
  lastSeenAt: Time,
  /** When it last looked for work without an error; null: not yet. */
  lastPassAt: Time.nullable(),
  /** Heard from within 30 seconds. */
  alive: z.boolean(),
  /** Attempts that had begun and not ended, when it was last seen. */
  underWay: Count,
  /** Deliveries that it held and had not sent. */
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
  /** Events that wait to be fanned out to the endpoints that asked for them. */
  outbox: Backlog,
  mail: Backlog,
  deliveries: z.object({
    pending: Count,
    /** Those whose time has come. */
    due: Count,
    oldestDueAt: Time.nullable(),
  }),
  /** At most a hundred: those that are alive first, then those seen last. */
  workers: z.array(WorkerRecord),
  database: z.object({ sizeBytes: Count, tables: z.array(TableSize) }),
});
export type Stats = z.infer<typeof Stats>;

/** The jobs that the operator can run: all there are. */
export const RetentionJob = z.enum(RETENTION_JOBS);
export type RetentionJob = z.infer<typeof RetentionJob>;

export const RunRetentionBody = z.strictObject({ job: RetentionJob });
export type RunRetentionBody = z.infer<typeof RunRetentionBody>;

/** One class of data in the whole deployment. */
export const RetainedData = RetentionRule.extend({
  table: z.string(),
  /** Of the class, from statistics; null of the cap, which takes from every class of attempts. */
  estimatedRows: Count.nullable(),
  sizeBytes: Count.nullable(),
  oldestAt: Time.nullable(),
  /** Rows of the table that retention has removed since it was installed: attempts of every rule together. */
  removedRows: Count,
  /** The same by the last run that ended: of `main` or `burst`, and for the cap of `cap`. */
  removedByLastRun: Count,
  /** `growing`: the table grows while nothing is removed; `overdue`: its oldest row should have left. */
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

/** A table that is kept by UTC day. */
export const PartitionedTable = z.object({
  table: z.string(),
  /** Days that a row is kept. */
  keptDays: Count,
  /** Counted exactly. Anything but zero means that a day was missing. */
  defaultRows: Count,
  defaultSizeBytes: Count,
  /** Newest first. */
  days: z.array(PartitionDay),
});
export type PartitionedTable = z.infer<typeof PartitionedTable>;

/** When a job runs by itself: by a cron in UTC or every so often, or never when both are null. */
export const JobSchedule = z.object({
  job: RetentionJob,
  cron: z.string().nullable(),
  everyMs: Count.nullable(),
  /** Null: never, or as soon as a retention process is there. */
  nextRunAt: Time.nullable(),
});
export type JobSchedule = z.infer<typeof JobSchedule>;

export const RetentionState = z.object({
  partitionMaintenanceEnabled: z.boolean(),
  /** What POST /admin/retention/run takes. */
  jobs: z.array(RetentionJob),
  classes: z.array(RetainedData),
  tables: z.array(PartitionedTable),
  schedules: z.array(JobSchedule),
  lastRuns: z.array(RetentionRun),
});
export type RetentionState = z.infer<typeof RetentionState>;
