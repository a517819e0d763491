import type { Role } from '@/lib/audit/types';
import { byIndex } from '@/lib/platform/sql/bounded-scan';
import {
  bigint,
  boolean,
  enumOf,
  float,
  integer,
  nullable,
  text,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { lockingCopied } from '@/lib/platform/sql/copied-rows-sql';
import { statement } from '@/lib/platform/sql/statement';

/** Locks those of these organizations that are live, in the order of ids, and returns their ids. */
export const lockLiveOrganizations = lockingCopied('FOR UPDATE', (lock) =>
  statement(
    `SELECT id FROM organizations WHERE id = ANY($organizations::uuid[]) AND deleted_at IS NULL ORDER BY id ${lock}`,
    { params: { organizations: uuids }, columns: { id: uuid } },
  ),
);

/** Locks a live organization against deletion. */
export const holdOrganization = lockingCopied('FOR SHARE', (lock) =>
  statement(`SELECT FROM organizations WHERE id = $organization AND deleted_at IS NULL ${lock}`, {
    params: { organization: uuid },
  }),
);

/**
 * Locks a live project.
 *
 * Rows that reference the project, such as events, take KEY SHARE, which this lock allows. Another such lock, a
 * deletion and an erasure wait. Code that also locks a row below the project must lock the project first.
 */
export const lockLiveProject = lockingCopied('FOR NO KEY UPDATE', (lock) =>
  statement(`SELECT 1 FROM projects WHERE id = $project AND deleted_at IS NULL ${lock}`, { params: { project: uuid } }),
);

/** Finds when each of at most a page of projects stored its newest event. An index finds each. */
export const findLastEvents = statement(
  `SELECT p.id AS project_id,
     (SELECT e.created_at FROM events e WHERE ${byIndex('e.project_id', 'p.id', 'e.id')}
      ORDER BY e.project_id DESC, e.id DESC LIMIT 1) AS at
   FROM unnest($projects::uuid[]) AS p(id)`,
  { params: { projects: uuids }, columns: { project_id: uuid, at: nullable(timestamp) } },
);

const role = enumOf<Role>('Role');
const ORGANIZATION = { id: uuid, name: text, role };

export const insertOrganization = statement(
  'INSERT INTO organizations (id, name, cell) VALUES ($id, $name, $cell) RETURNING created_at',
  { params: { id: uuid, name: text, cell: text }, columns: { created_at: timestamp } },
);

/** Stores the membership of an organization's first owner. */
export const insertOwner = statement(
  `INSERT INTO memberships (organization_id, user_id, role) VALUES ($organization, $user, 'OWNER')`,
  { params: { organization: uuid, user: uuid } },
);

/** Finds a live organization that a person belongs to. */
export const findMembership = statement(
  `SELECT o.id, o.name, m.role
   FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
   WHERE m.user_id = $user AND m.organization_id = $organization`,
  { params: { user: uuid, organization: uuid }, columns: ORGANIZATION },
);

/** Finds the preferred live organization of a person, else their oldest. */
export const findHome = statement(
  `SELECT o.id, o.name, m.role
   FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
   WHERE m.user_id = $user
   ORDER BY (o.id = $preferred) IS TRUE DESC, m.created_at, o.id
   LIMIT 1`,
  { params: { user: uuid, preferred: nullable(uuid) }, columns: ORGANIZATION },
);

/** Lists a person's memberships in live organizations, oldest first, with what the last-owner rules need. */
export const listCountedMemberships = statement(
  `SELECT o.id, o.name, m.role,
          (SELECT count(*)::int FROM memberships x WHERE x.organization_id = o.id) AS "memberCount",
          (SELECT count(*)::int FROM memberships x
           WHERE x.organization_id = o.id AND x.role = 'OWNER' AND x.user_id <> m.user_id) AS "otherOwnerCount"
   FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
   WHERE m.user_id = $user ORDER BY o.id`,
  {
    params: { user: uuid },
    columns: {
      ...ORGANIZATION,
      /** All members, including the person. */
      memberCount: integer,
      otherOwnerCount: integer,
    },
  },
);

/**
 * Whether the member `m` of an organization `o` created it, and is one of its owners: `addOrganization` stores both in one transaction, so
 * both rows have the time of its start. Nobody can join before the transaction ends.
 */
const IS_OWNING_CREATOR = `m.role = 'OWNER' AND m.created_at = o.created_at`;

/**
 * Whom an organization `o` counts for: the person who created it while they are one of its owners, else the organization itself. Owners
 * make others owners without asking them, so nobody else's bounds may be used. A deleted one, which has no members, counts for the same
 * until it is removed.
 */
export const TENANT_SQL = `coalesce(o.deleted_tenant_id,
  (SELECT m.user_id FROM memberships m WHERE m.organization_id = o.id AND ${IS_OWNING_CREATOR} ORDER BY m.user_id LIMIT 1), o.id)`;

export const findTenantOfOrganization = statement(
  `SELECT ${TENANT_SQL} AS tenant_id, o.cell FROM organizations o WHERE o.id = $organization`,
  { params: { organization: uuid }, columns: { tenant_id: nullable(uuid), cell: text } },
);

/** Finds the tenant of a project's organization. */
export const findTenantOfProject = statement(
  `SELECT ${TENANT_SQL} AS tenant_id, o.cell FROM projects p JOIN organizations o ON o.id = p.organization_id WHERE p.id = $project`,
  { params: { project: uuid }, columns: { tenant_id: nullable(uuid), cell: text } },
);

/** Finds the tenants of projects. */
export const findTenantsOfProjects = statement(
  `SELECT p.id, ${TENANT_SQL} AS tenant_id, o.cell FROM projects p JOIN organizations o ON o.id = p.organization_id
   WHERE p.id = ANY($projects::uuid[])`,
  { params: { projects: uuids }, columns: { id: uuid, tenant_id: nullable(uuid), cell: text } },
);

/*
 * A cursor holds a UUID, and no id of a membership tells when it began. This one combines the milliseconds of that
 * time with the random end of the person's id. It depends on the row alone, so a cursor stays valid after its member
 * is removed.
 */
const CURSOR_SQL = `(lpad(to_hex((extract(epoch FROM m.created_at) * 1000)::bigint), 12, '0')
  || right(replace(m.user_id::text, '-', ''), 20))::uuid`;

const MEMBERS_SQL = `
  SELECT ${CURSOR_SQL} AS id, m.user_id AS "userId", u.email, u.name, m.role, m.created_at AS "createdAt"
  FROM memberships m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL
  WHERE m.organization_id = $organization`;

const MEMBER = {
  /** The cursor of the row. */
  id: uuid,
  userId: uuid,
  email: text,
  name: nullable(text),
  role: enumOf<Role>('Role'),
  createdAt: timestamp,
};

/** Lists a page of the members of an organization, newest first. */
export const listMemberRows = statement(
  `${MEMBERS_SQL} AND ($cursor::uuid IS NULL OR ${CURSOR_SQL} < $cursor) ORDER BY 1 DESC LIMIT $limit`,
  { params: { organization: uuid, cursor: nullable(uuid), limit: bigint }, columns: MEMBER },
);

/** Finds a member of an organization. */
export const findMember = statement(`${MEMBERS_SQL} AND m.user_id = $user`, {
  params: { organization: uuid, user: uuid },
  columns: MEMBER,
});

/** Finds whether an organization has other owners and members than a person. */
export const findOwnership = statement(
  `SELECT o.name,
     EXISTS (SELECT FROM memberships m
             WHERE m.organization_id = o.id AND m.user_id <> $user AND m.role = 'OWNER') AS has_other_owner,
     EXISTS (SELECT FROM memberships m WHERE m.organization_id = o.id AND m.user_id <> $user) AS has_other_member
   FROM organizations o WHERE o.id = $organization`,
  {
    params: { user: uuid, organization: uuid },
    columns: { name: text, has_other_owner: boolean, has_other_member: boolean },
  },
);

/** What an event or incoming event takes beside its data: its columns and the entries of its indexes. */
export const ROW_BYTES = 512;

const sumSince = (column: string, days: string) =>
  `coalesce(sum(b.${column}) FILTER (WHERE b.day >= (now() AT TIME ZONE 'UTC')::date - ${days}::int), 0)`;

/**
 * Sums what is stored for each of the owners, people or organizations that count for themselves: what was taken in or attempted
 * within the days that events, incoming events, successful attempts and failed attempts are kept.
 */
export const sumStoredBytes = statement(
  `SELECT t.owner_id, (${sumSince('events', '$eventDays')} + ${sumSince('incoming_events', '$incomingEventDays')}
     + ${sumSince('succeeded_attempts', '$succeededAttemptDays')} + ${sumSince('failed_attempts', '$failedAttemptDays')})::float8 AS bytes
   FROM unnest($owners::uuid[]) AS t(owner_id)
   CROSS JOIN LATERAL (
     SELECT o.id FROM memberships m JOIN organizations o ON o.id = m.organization_id AND ${IS_OWNING_CREATOR}
     WHERE m.user_id = t.owner_id
     UNION ALL
     SELECT o.id FROM organizations o WHERE o.deleted_tenant_id = t.owner_id
     UNION ALL
     SELECT o.id FROM organizations o WHERE o.id = t.owner_id AND o.deleted_tenant_id IS NULL AND ${TENANT_SQL} = o.id) counted
   JOIN projects p ON p.organization_id = counted.id
   JOIN stored_bytes b ON b.project_id = p.id AND b.day >= (now() AT TIME ZONE 'UTC')::date -
     greatest($eventDays::int, $incomingEventDays, $succeededAttemptDays, $failedAttemptDays)
   GROUP BY t.owner_id`,
  {
    params: {
      eventDays: integer,
      incomingEventDays: integer,
      succeededAttemptDays: integer,
      failedAttemptDays: integer,
      owners: uuids,
    },
    columns: { owner_id: nullable(uuid), bytes: nullable(float) },
  },
);
