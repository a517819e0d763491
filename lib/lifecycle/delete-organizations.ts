import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';

/** Replaces the name, which often identifies a person, until the row is removed. */
const DELETED_NAME = 'Deleted organization';

/**
 * Makes organizations unreachable with the commit: their keys stop working, their members get 404, and nothing of theirs
 * is delivered. The organizations must be locked. The audit log records the deletion without the name.
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
  // Makes the workers read their endpoints again.
  if (ids.length > 0) await tx.query(`SELECT pg_notify('eds_delivery', '')`);
  for (const id of ids) {
    await recordAudit(tx, actor, {
      action: 'organization.deleted',
      organizationId: id,
      target: { type: 'organization', id },
      details,
    });
  }
}
