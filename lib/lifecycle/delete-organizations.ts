import { type Actor, recordAuditSql } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';

/** Stands in for the name, which is often a person's, until the row is gone. */
const DELETED_NAME = 'Deleted organization';

/**
 * Makes organizations unreachable with the commit: their keys authenticate nothing, their members get 404, nothing of
 * theirs is sent. They must be locked. The audit log keeps that it happened, and not the name (spec 8.4).
 */
export async function deleteOrganizations(
  tx: Sql,
  actor: Actor,
  ids: readonly string[],
  details: Record<string, unknown> = {},
): Promise<void> {
  await tx.query(
    `UPDATE organizations SET deleted_at = now(), updated_at = now(), name = $2
     WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL`,
    [ids, DELETED_NAME],
  );
  await tx.query('DELETE FROM memberships WHERE organization_id = ANY($1::uuid[])', [ids]);
  // Workers read again what they are about to send to.
  if (ids.length > 0) await tx.query(`SELECT pg_notify('eds_delivery', '')`);
  for (const id of ids) {
    await recordAuditSql(tx, actor, {
      action: 'organization.deleted',
      organizationId: id,
      target: { type: 'organization', id },
      details,
    });
  }
}
