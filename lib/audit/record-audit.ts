import { SECOND_MS } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { TokenBuckets } from '@/lib/platform/token-buckets';
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

/** What the entries of an owner may add to a log that is kept for ever: some 8 entries a second, and on top half a million at once. */
const BYTES_OF_OWNER = { perSecond: 4 * 1024, burst: 256 * 1024 * 1024, mostOwed: 64 * 1024 };
/** What an entry takes beside its details, with its indexes. */
const ENTRY_BYTES = 400;
/** What ends something is never refused: there is no more of it than of beginnings. */
const ENDS = /[._](canceled|closed|deleted|denied|disabled|ended|failed|left|removed|revoked)$/;

/**
 * Writes an audit entry in the transaction of the change: what cannot be audited does not happen.
 * @throws AppError rate_limited when the owner of the organization has added too much to the log lately, unless the action ends something
 */
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
  const details = entries.map((entry) => JSON.stringify(entry.details ?? {}));
  countBytes(actor, action, details);
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
    details,
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

/** A customer in the portal does not spend what its company may add. */
function countBytes(actor: Actor, action: AuditAction, details: readonly string[]): void {
  if (!('client' in actor) || actor.client.ownerId === undefined) return;
  const tenant = actor.type === 'portal' ? `customers of ${actor.client.ownerId}` : actor.client.ownerId;
  const bytes = once('audit-bytes', () => new TokenBuckets(BYTES_OF_OWNER));
  if (bytes.left(tenant) < 0 && !ENDS.test(action)) {
    const message = 'This account changes too much. Its audit log may grow by 4 KiB a second.';
    const retryAfterSeconds = Math.ceil(bytes.owedMs(tenant) / SECOND_MS);
    throw new AppError('rate_limited', message, { retryAfterSeconds });
  }
  bytes.take(
    tenant,
    details.reduce((sum, text) => sum + ENTRY_BYTES + Buffer.byteLength(text), 0),
  );
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
