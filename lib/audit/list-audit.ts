import { database, type Sql } from '@/lib/platform/db';
import { type Listing, type Page, pageToListing } from '@/lib/platform/pagination';
import { countMatches, type ScannedPage, scanPage } from '@/lib/platform/sql/bounded-scan';
import { AUDIT_ROWS, type AuditFilter, auditScan, type EntryRow } from './list-audit-sql';
import type { AuditLogEntry } from './schema';

/** Lists entries of the audit log, newest first. They stay after their organization is deleted. */
export async function listAudit(filter: AuditFilter, page: Page): Promise<Listing<AuditLogEntry>> {
  return pageToListing(await readAudit(database(), filter, page), (entry) => entry);
}

/**
 * Reads a page of the entries that match, newest first, through `sql`: the pool, or the transaction of an export. The email address
 * comes from the account and is stored in no entry, so erasing the account removes it here too.
 */
export async function readAudit(sql: Sql, filter: AuditFilter, page: Page): Promise<ScannedPage<AuditLogEntry>> {
  const { rows, next } = await scanPage(sql, auditScan(filter), page, AUDIT_ROWS);
  return { rows: rows.map((row) => presentAuditEntry(row, filter.isForOperator === true)), next };
}

/** Counts the entries of an organization up to a number, in statements that each look at a bounded number of them. */
export async function countAudit(sql: Sql, organizationId: string, upTo: number): Promise<number> {
  return (await countMatches(sql, auditScan({ organizationId }), { upTo, maxExamined: upTo + 1 })).count;
}

function presentAuditEntry(row: EntryRow, isForOperator: boolean): AuditLogEntry {
  return {
    id: row.id,
    action: row.action,
    actor: {
      type: row.actor_type,
      id: row.actor_id,
      ...(row.email === null ? {} : { email: row.email }),
      ...(row.customer_name === null ? {} : { name: row.customer_name }),
      ...(row.key_name === null || row.key_hint === null ? {} : { name: row.key_name, hint: row.key_hint }),
    },
    target: {
      type: row.target_type,
      id: row.target_id,
      ...(row.target_name === null ? {} : { name: row.target_name }),
      exists: row.is_live === true,
    },
    organizationId: row.organization_id,
    ipAddress: row.actor_type === 'OPERATOR' && !isForOperator ? null : row.ip_address,
    createdAt: row.created_at.toISOString(),
    details: row.details,
  };
}
