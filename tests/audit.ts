import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';

export interface AuditRow {
  action: string;
  organization_id: string | null;
  actor_type: string;
  actor_id: string | null;
  target_id: string | null;
  ip_address: string | null;
  details: Record<string, unknown>;
}

/** Reads the audit entries about a target or an organization, oldest first. */
export async function auditOf(id: string): Promise<AuditRow[]> {
  const { rows } = await database().query<AuditRow>(
    `SELECT action, organization_id, actor_type, actor_id, target_id, ip_address, details
     FROM audit_log WHERE target_id = $1 OR organization_id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

export interface FilledAudit {
  organizationId: string;
  count: number;
  action?: string;
  actorId?: string;
  /** Time between two entries; the newest is now. */
  stepMs?: number;
  details?: Record<string, unknown>;
}

/** Inserts entries at regular times, with UUIDv7 ids of these times. */
export async function insertAudit(filled: FilledAudit): Promise<void> {
  const { organizationId, count, action = 'project.updated', actorId = null, stepMs = 1, details = {} } = filled;
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, target_type, ip_address, details, created_at)
     SELECT (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            $1, $3, 'USER', $4, 'project', '198.51.100.20', $6, at
     FROM generate_series(1, $2::bigint) n,
          LATERAL (SELECT now() - ($2 - n) * $5 * interval '1 millisecond' AS at) t,
          LATERAL (SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS h) x`,
    [organizationId, count, action, actorId, stepMs, details],
  );
}
