import type { OperatorCaller } from '@/lib/audit/caller';
import { listAudit } from '@/lib/audit/list-audit';
import { recordAuditSql } from '@/lib/audit/record-audit';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import type { ListWholeAuditQuery } from './schema';

/**
 * The audit log of every organization, of those that are gone too, and of what belongs to none (CONTRACT 6). It shows
 * addresses of people, so that it was read is recorded: with its first page, once for all that follow.
 */
export async function viewAuditLog(
  caller: OperatorCaller,
  query: ListWholeAuditQuery,
): Promise<Listing<AuditLogEntry>> {
  const { limit, cursor, organizationId = null, ...filter } = query;
  const entries = await listAudit({ organizationId, isForOperator: true, ...filter }, { limit, cursor });
  if (cursor === undefined) {
    await recordAuditSql(database(), caller, {
      action: 'audit_log.viewed',
      organizationId,
      target: { type: 'audit_log', id: null },
    });
  }
  return entries;
}
