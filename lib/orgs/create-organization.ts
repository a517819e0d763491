import type { PersonCaller } from '@/lib/audit/caller';
import { type Actor, recordAuditSql } from '@/lib/audit/record-audit';
import { inTransaction, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { CreateOrganizationBody, Organization } from './schema';

/** Makes an organization that the caller owns. */
export function createOrganization(caller: PersonCaller, body: CreateOrganizationBody): Promise<Organization> {
  return inTransaction((tx) => addOrganization(tx, caller, caller.userId, body.name));
}

/** The same as a part of a larger change, such as a registration. */
export async function addOrganization(tx: Sql, actor: Actor, ownerId: string, name: string): Promise<Organization> {
  const id = newId();
  const { rows } = await tx.query<{ created_at: Date }>(
    'INSERT INTO organizations (id, name) VALUES ($1, $2) RETURNING created_at',
    [id, name],
  );
  await tx.query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`, [id, ownerId]);
  await recordAuditSql(tx, actor, {
    action: 'organization.created',
    organizationId: id,
    target: { type: 'organization', id },
    details: { ownerId },
  });
  return { id, name, role: 'OWNER', createdAt: (rows[0]?.created_at ?? new Date()).toISOString() };
}
