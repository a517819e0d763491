import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Caller } from './caller';
import { insertEntry } from './record-audit-sql';
import type { AuditAction } from './types';

export interface AuditEntry {
  action: AuditAction;
  organizationId: string | null;
  target: { type: string; id: string | null };
  /**
   * Ids, field names, and the name of the target as `targetName`. Never an address, a person's name, a URL or a secret.
   */
  details?: Record<string, unknown>;
}

/** Who made the change: a caller, or the service itself (an endpoint disabled after days of failures). */
export type Actor = Caller | { type: 'system' } | { type: 'user'; userId: string; ipAddress: string | null };

interface AuditRow {
  id: string;
  organizationId: string | null;
  action: string;
  actorType: 'USER' | 'API_KEY' | 'OPERATOR' | 'SYSTEM';
  actorId: string | null;
  targetType: string;
  targetId: string | null;
  ipAddress: string | null;
  details: object;
}

/** Writes an audit entry in the transaction of the change: what cannot be audited does not happen. */
export async function recordAudit(tx: Sql, actor: Actor, entry: AuditEntry): Promise<void> {
  const row = auditRow(actor, entry);
  await insertEntry.run(
    tx,
    row.id,
    row.organizationId,
    row.action,
    row.actorType,
    row.actorId,
    row.targetType,
    row.targetId,
    row.ipAddress,
    row.details,
  );
}

function auditRow(actor: Actor, entry: AuditEntry): AuditRow {
  return {
    id: newId(),
    organizationId: entry.organizationId,
    action: entry.action,
    targetType: entry.target.type,
    targetId: entry.target.id,
    details: entry.details ?? {},
    ...whoDidIt(actor),
  };
}

function whoDidIt(actor: Actor): Pick<AuditRow, 'actorType' | 'actorId' | 'ipAddress'> {
  switch (actor.type) {
    case 'person':
      return { actorType: 'USER', actorId: actor.userId, ipAddress: actor.client.ipAddress };
    case 'user':
      return { actorType: 'USER', actorId: actor.userId, ipAddress: actor.ipAddress };
    case 'key':
      return { actorType: 'API_KEY', actorId: actor.keyId, ipAddress: actor.client.ipAddress };
    case 'operator':
      return { actorType: 'OPERATOR', actorId: null, ipAddress: actor.client.ipAddress };
    case 'anonymous':
    case 'system':
      return { actorType: 'SYSTEM', actorId: null, ipAddress: null };
  }
}
