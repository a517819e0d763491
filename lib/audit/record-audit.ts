import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Caller, ProjectCaller } from './caller';
import { insertEntries } from './record-audit-sql';
import type { AuditAction } from './types';

interface AuditEntry {
  organizationId: string | null;
  targetId: string | null;
  /**
   * Ids, field names, and the name of the target as `targetName`. Never an address, a person's name, a URL or a secret.
   */
  details?: Record<string, unknown>;
}

/** Who made the change: a caller, or the service itself (an endpoint disabled after days of failures). */
export type Actor = Caller | { type: 'system' } | { type: 'user'; userId: string; ipAddress: string | null };

/** What the actions of a group are done to, where it is not what they are named after. */
const TARGET_TYPES: Readonly<Record<string, string>> = {
  account: 'user',
  identity: 'user',
  member: 'user',
  device: 'device_code',
  retention: 'retention_run',
};

/** Writes an audit entry in the transaction of the change: what cannot be audited does not happen. */
export function recordAudit(tx: Sql, actor: Actor, action: AuditAction, entry: AuditEntry): Promise<void> {
  return recordAudits(tx, actor, action, [entry]);
}

/** Writes an entry for each of several changes, or of none, in one statement. See `recordAudit`. */
export async function recordAudits(
  tx: Sql,
  actor: Actor,
  action: AuditAction,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const [group = ''] = action.split('.');
  const who = whoDidIt(actor);
  await insertEntries.run(tx, {
    ids: entries.map(() => newId()),
    organizations: entries.map(({ organizationId }) => organizationId),
    action,
    actorType: who.type,
    actor: who.id,
    targetType: TARGET_TYPES[group] ?? group,
    targets: entries.map(({ targetId }) => targetId),
    ipAddress: who.ipAddress,
    details: entries.map(({ details = {} }) => JSON.stringify(details)),
  });
}

/** Writes an audit entry for a change in the caller's organization. See `recordAudit`. */
export function auditChange(
  tx: Sql,
  caller: ProjectCaller,
  action: AuditAction,
  targetId: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  return recordAudit(tx, caller, action, { organizationId: caller.organizationId, targetId, details });
}

function whoDidIt(actor: Actor): {
  type: 'USER' | 'API_KEY' | 'PORTAL' | 'OPERATOR' | 'SYSTEM';
  id: string | null;
  ipAddress: string | null;
} {
  switch (actor.type) {
    case 'person':
      return { type: 'USER', id: actor.userId, ipAddress: actor.client.ipAddress };
    case 'user':
      return { type: 'USER', id: actor.userId, ipAddress: actor.ipAddress };
    case 'key':
      return { type: 'API_KEY', id: actor.keyId, ipAddress: actor.client.ipAddress };
    case 'portal':
      return { type: 'PORTAL', id: actor.customerId, ipAddress: actor.client.ipAddress };
    case 'operator':
      return { type: 'OPERATOR', id: null, ipAddress: actor.client.ipAddress };
    case 'anonymous':
    case 'system':
      return { type: 'SYSTEM', id: null, ipAddress: null };
  }
}
