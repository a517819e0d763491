import type { OperatorCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Role } from '@/lib/audit/types';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { OVERVIEW_COLUMNS, type OverviewRow, presentOverview } from './list-organizations';
import { estimateStorage } from './organization-storage';
import type { OrganizationDetail } from './schema';

/** Most members and most projects shown: nearly every organization has fewer. */
const SHOWN = 100;

const ofProjects = (table: string, living = '') =>
  `(SELECT count(*)::int FROM ${table} x JOIN projects p ON p.id = x.project_id WHERE p.organization_id = $1 ${living})`;

const COUNTS_SQL = `
  SELECT (SELECT count(*)::int FROM invitations WHERE organization_id = $1 AND accepted_at IS NULL AND expires_at > now()) AS invitations,
         ${ofProjects('api_keys', 'AND x.revoked_at IS NULL')} AS "apiKeys",
         ${ofProjects('endpoints', 'AND x.deleted_at IS NULL')} AS endpoints,
         ${ofProjects('subscriptions')} AS subscriptions,
         ${ofProjects('sources', 'AND x.deleted_at IS NULL')} AS sources,
         ${ofProjects('destinations', 'AND x.deleted_at IS NULL')} AS destinations,
         ${ofProjects('tunnels')} AS tunnels`;

/**
 * Reads an organization with its members, projects and stored data, even while it is being removed. Records the view in
 * its audit log, because the result has the email addresses of its members.
 *
 * @throws AppError not_found
 */
export async function getOrganizationDetail(
  caller: OperatorCaller,
  organizationId: string,
): Promise<OrganizationDetail> {
  const { rows } = await database().query<OverviewRow>(
    `SELECT ${OVERVIEW_COLUMNS} FROM organizations o WHERE o.id = $1`,
    [organizationId],
  );
  const row = rows[0];
  if (row === undefined) throw notFound('organization');
  const [members, projects, counts, storage] = await Promise.all([
    listMembers(row.id),
    listProjects(row.id),
    database().query<OrganizationDetail['counts']>(COUNTS_SQL, [row.id]),
    estimateStorage(row.id),
  ]);
  await recordAudit(database(), caller, {
    action: 'organization.viewed',
    organizationId: row.id,
    target: { type: 'organization', id: row.id },
  });
  const [found] = counts.rows;
  if (found === undefined) throw new Error('a SELECT without FROM must return one row');
  return { ...presentOverview(row), members, projects, counts: found, storage };
}

async function listMembers(organizationId: string): Promise<OrganizationDetail['members']> {
  const { rows } = await database().query<{
    user_id: string;
    email: string;
    name: string | null;
    role: Role;
    created_at: Date;
  }>(
    `SELECT m.user_id, u.email, u.name, m.role, m.created_at
     FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 ORDER BY (m.role = 'OWNER') DESC, m.created_at, m.user_id LIMIT $2`,
    [organizationId, SHOWN],
  );
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  }));
}

async function listProjects(organizationId: string): Promise<OrganizationDetail['projects']> {
  const { rows } = await database().query<{ id: string; name: string; created_at: Date; deleted_at: Date | null }>(
    'SELECT id, name, created_at, deleted_at FROM projects WHERE organization_id = $1 ORDER BY id DESC LIMIT $2',
    [organizationId, SHOWN],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
  }));
}
