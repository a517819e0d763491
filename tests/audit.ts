import { database } from '@/lib/platform/db';

export interface AuditRow {
  action: string;
  organization_id: string | null;
  actor_type: string;
  actor_id: string | null;
  target_id: string | null;
  ip_address: string | null;
  details: Record<string, unknown>;
}

/** What the audit log says of a target or of an organization, oldest first. */
export async function auditOf(id: string): Promise<AuditRow[]> {
  const { rows } = await database().query<AuditRow>(
    `SELECT action, organization_id, actor_type, actor_id, target_id, ip_address, details
     FROM audit_log WHERE target_id = $1 OR organization_id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}
