import { type Actor, recordAudit } from '@/lib/audit/record-audit';
import type { Sql } from '@/lib/platform/db';
import { deleteMemberships, markDeleted, wakeDelivery } from './purge-sql';

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
  await markDeleted.run(tx, ids, DELETED_NAME);
  await deleteMemberships.run(tx, ids);
  if (ids.length > 0) await wakeDelivery.run(tx);
  for (const id of ids) {
    await recordAudit(tx, actor, {
      action: 'organization.deleted',
      organizationId: id,
      target: { type: 'organization', id },
      details,
    });
  }
}
