import type { OperatorCaller } from '@/lib/audit/caller';
import { listAudit } from '@/lib/audit/list-audit';
import { recordAudit } from '@/lib/audit/record-audit';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import type { ListAllAuditQuery } from './schema';

/**
 * Lists the audit log of all organizations, including deleted ones and entries without an organization. The log shows
 * email addresses, so reading it is audited: once, with the first page.
 */
export async function viewAuditLog(caller: OperatorCaller, query: ListAllAuditQuery): Promise<Listing<AuditLogEntry>> {
  const { limit, cursor, organizationId = null, ...filter } = query;
  const entries = await listAudit({ organizationId, isForOperator: true, ...filter }, { limit, cursor });
  if (cursor === undefined) {
    await recordAudit(database(), caller, {
      action: 'audit_log.viewed',
      organizationId,
      target: { type: 'audit_log', id: null },
    });
  }
  return entries;
}
