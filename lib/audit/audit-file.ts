import { database } from '@/lib/platform/db';
import type { Page } from '@/lib/platform/pagination';
import { toJson } from '@/lib/platform/terminal/sanitize';
import type { CsvColumns } from '@/lib/platform/write-rows';
import { readAudit } from './list-audit';
import type { AuditFilter } from './list-audit-sql';
import type { AuditLogEntry } from './schema';

const COLUMNS = {
  createdAt: (entry) => entry.createdAt,
  action: (entry) => entry.action,
  actorType: (entry) => entry.actor.type,
  actorId: (entry) => entry.actor.id,
  actorEmail: (entry) => entry.actor.email,
  targetType: (entry) => entry.target.type,
  targetId: (entry) => entry.target.id,
  organizationId: (entry) => entry.organizationId,
  ipAddress: (entry) => entry.ipAddress,
  details: (entry) => toJson(entry.details),
  id: (entry) => entry.id,
} as const satisfies CsvColumns<AuditLogEntry>;

/** What a file of the entries that match is made from. */
export function auditFile(filter: AuditFilter) {
  return {
    columns: COLUMNS,
    read: (page: Page) => readAudit(database(), filter, page),
  };
}
