import type { Role } from '@/lib/audit/types';
import { type Condition, type Details, type Scan, statementsOf } from '@/lib/platform/sql/bounded-scan';
import { bigint, enumOf, integer, nullable, text, timestamp, uuid, uuids } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** The columns of an overview of the organization `o`. */
const OVERVIEW_SQL = `
  o.id, o.name, o.created_at, o.deleted_at,
  (SELECT count(*)::int FROM memberships m WHERE m.organization_id = o.id) AS member_count,
  (SELECT count(*)::int FROM projects p WHERE p.organization_id = o.id AND p.deleted_at IS NULL) AS project_count`;

const OVERVIEW = {
  id: uuid,
  name: text,
  created_at: timestamp,
  deleted_at: nullable(timestamp),
  member_count: integer,
  project_count: integer,
};
export type OverviewRow = RowOf<typeof OVERVIEW>;

/** Finds an organization, even while it is being removed. */
export const findOrganization = statement(
  `SELECT ${OVERVIEW_SQL}, o.cell FROM organizations o WHERE o.id = $organization`,
  { params: { organization: uuid }, columns: { ...OVERVIEW, cell: text } },
);

/** What lists show of organizations. */
export const ORGANIZATION_ROWS: Details<typeof OVERVIEW> = {
  sql: `SELECT ${OVERVIEW_SQL} FROM organizations o WHERE o.id IN (SELECT id FROM found)`,
  columns: OVERVIEW,
};

/** Rows that the operator looks at in one statement. There is one operator, and names have no index. */
const OPERATOR_EXAMINES = 100_000;

/** Returns the scan of the organizations whose name contains a text, and that are being removed or not. */
export function organizationScan(name: string | undefined, isDeleted: boolean | undefined): Scan {
  const conditions: (Condition | false)[] = [
    name !== undefined && ['position(lower(?) IN lower(x.name)) > 0', name],
    isDeleted !== undefined && ['(x.deleted_at IS NOT NULL) = ?', isDeleted],
  ];
  return {
    from: 'organizations x',
    columns: ['x.id', 'x.name', 'x.deleted_at'],
    indexes: [[]],
    conditions: conditions.filter((condition) => condition !== false),
    maxExamined: OPERATOR_EXAMINES,
  };
}

/** Checked against the database by a test. */
export const CHECKED_STATEMENTS = statementsOf(organizationScan('a', true), ORGANIZATION_ROWS);

/** Selects the names of those organizations that are not being removed. */
export const selectNames = statement(
  'SELECT id, name FROM organizations WHERE id = ANY($organizations) AND deleted_at IS NULL',
  { params: { organizations: uuids }, columns: { id: uuid, name: text } },
);

/** Selects members of an organization, the owners first. */
export const selectMembers = statement(
  `SELECT m.user_id, u.email, u.name, m.role, m.created_at
   FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $organization ORDER BY (m.role = 'OWNER') DESC, m.created_at, m.user_id LIMIT $limit`,
  {
    params: { organization: uuid, limit: bigint },
    columns: { user_id: uuid, email: text, name: nullable(text), role: enumOf<Role>('Role'), created_at: timestamp },
  },
);

const ofProjects = (table: string, living = '') =>
  `(SELECT count(*)::int FROM ${table} x JOIN projects p ON p.id = x.project_id WHERE p.organization_id = $organization ${living})`;

/** Counts what an organization has, without what is deleted. Returns one row. */
export const countParts = statement(
  `
  SELECT (SELECT count(*)::int FROM invitations WHERE organization_id = $organization AND accepted_at IS NULL AND expires_at > now()) AS invitations,
         ${ofProjects('api_keys', 'AND x.revoked_at IS NULL')} AS "apiKeys",
         ${ofProjects('endpoints', 'AND x.deleted_at IS NULL')} AS endpoints,
         ${ofProjects('subscriptions')} AS subscriptions,
         ${ofProjects('sources', 'AND x.deleted_at IS NULL')} AS sources,
         ${ofProjects('destinations', 'AND x.deleted_at IS NULL')} AS destinations,
         ${ofProjects('tunnels')} AS tunnels`,
  {
    params: { organization: uuid },
    columns: {
      invitations: integer,
      apiKeys: integer,
      endpoints: integer,
      subscriptions: integer,
      sources: integer,
      destinations: integer,
      tunnels: integer,
    },
  },
);
