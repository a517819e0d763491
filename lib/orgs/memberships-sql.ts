import type { Role } from '@/lib/audit/types';
import { enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const role = enumOf<Role>('Role');
const ORGANIZATION = { id: uuid, name: text, role };

/** Stores an organization. $1 id, $2 name. */
export const insertOrganization = statement(
  'INSERT INTO organizations (id, name) VALUES ($1, $2) RETURNING created_at',
  { created_at: timestamp },
);

/** Stores the membership of an organization's first owner. $1 organization, $2 user. */
export const insertOwner = statement(
  `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`,
);

/** Finds a live organization that a person belongs to. $1 user, $2 organization. */
export const findMembership = statement(
  `SELECT o.id, o.name, m.role
   FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
   WHERE m.user_id = $1 AND m.organization_id = $2`,
  ORGANIZATION,
);

/** Finds the preferred live organization of a person, else their oldest. $1 user, $2 the preferred one or null. */
export const findHome = statement(
  `SELECT o.id, o.name, m.role
   FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
   WHERE m.user_id = $1
   ORDER BY (o.id = $2) IS TRUE DESC, m.created_at, o.id
   LIMIT 1`,
  ORGANIZATION,
);

/** Lists a person's memberships in live organizations, oldest first, with what the last-owner rules need. $1 user. */
export const listCountedMemberships = statement(
  `SELECT o.id, o.name, m.role,
          (SELECT count(*)::int FROM memberships x WHERE x.organization_id = o.id) AS "memberCount",
          (SELECT count(*)::int FROM memberships x
           WHERE x.organization_id = o.id AND x.role = 'OWNER' AND x.user_id <> m.user_id) AS "otherOwnerCount"
   FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
   WHERE m.user_id = $1 ORDER BY o.id`,
  {
    ...ORGANIZATION,
    /** All members, including the person. */
    memberCount: integer,
    otherOwnerCount: integer,
  },
);

/**
 * Whether the member `m` of an organization `o` created it, and is one of its owners: `addOrganization` stores both in one transaction, so
 * both rows have the time of its start. Nobody can join before the transaction ends.
 */
export const IS_OWNING_CREATOR = `m.role = 'OWNER' AND m.created_at = o.created_at`;

/**
 * Whom an organization `o` counts for: the person who created it while they are one of its owners, else the organization itself. Owners
 * make others owners without asking them, so nobody else's bounds may be used.
 */
export const TENANT_SQL = `coalesce(
  (SELECT m.user_id FROM memberships m WHERE m.organization_id = o.id AND ${IS_OWNING_CREATOR} ORDER BY m.user_id LIMIT 1), o.id)`;

/** Finds the tenant of an organization. $1 organization. */
export const findTenantOfOrganization = statement(
  `SELECT ${TENANT_SQL} AS tenant_id FROM organizations o WHERE o.id = $1`,
  { tenant_id: nullable(uuid) },
);

/** Finds the tenant of a project's organization. $1 project. */
export const findTenantOfProject = statement(
  `SELECT ${TENANT_SQL} AS tenant_id FROM projects p JOIN organizations o ON o.id = p.organization_id WHERE p.id = $1`,
  { tenant_id: nullable(uuid) },
);
