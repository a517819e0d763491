import { csvLine } from '@/lib/platform/csv';
import { database } from '@/lib/platform/db';
import { type AuditFilter, hasMoreAudit, readAudit } from './list-audit';
import type { AuditLogEntry } from './schema';

const MAX_CSV_ROWS = 100_000;
const PAGE_ROWS = 500;

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
  details: (entry) => JSON.stringify(entry.details),
  id: (entry) => entry.id,
} as const satisfies Record<string, (entry: AuditLogEntry) => string | null | undefined>;

export interface AuditCsv {
  /** More than `maxRows` entries match; the file holds the newest. */
  isTruncated: boolean;
  chunks: AsyncGenerator<string>;
}

/** Writes the entries that match as CSV (RFC 4180), newest first. Holds no connection between pages. */
export async function writeAuditCsv(filter: AuditFilter, maxRows = MAX_CSV_ROWS): Promise<AuditCsv> {
  return { isTruncated: await hasMoreAudit(database(), filter, maxRows), chunks: toLines(filter, maxRows) };
}

async function* toLines(filter: AuditFilter, maxRows: number): AsyncGenerator<string> {
  yield csvLine(Object.keys(COLUMNS));
  let cursor: string | undefined;
  for (let left = maxRows; left > 0; left -= PAGE_ROWS) {
    const limit = Math.min(left, PAGE_ROWS);
    const entries = await readAudit(database(), filter, { limit, cursor });
    const lines = entries.map((entry) => csvLine(Object.values(COLUMNS).map((read) => read(entry))));
    if (lines.length > 0) yield lines.join('');
    if (entries.length < limit) return;
    cursor = entries.at(-1)?.id;
  }
}
