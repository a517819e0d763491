import { countAudit, readAudit } from '@/lib/audit/list-audit';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { MAX_EXPORTED_AUDIT_ENTRIES } from '@/lib/lifecycle/export-policy';
import { PAGE_ROWS, readPages } from './read-pages';
import { type ExportScope, SECTIONS } from './sections';

/** Writes the text of an export page by page, so that memory holds one page only. */
export async function* writeDocument(head: object, scope: ExportScope): AsyncGenerator<string> {
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, read] of Object.entries(SECTIONS)) yield* writeList(name, read(scope));
  yield* writeList('auditLogs', newestAudit(scope));
  const total = await countAudit(scope.sql, scope.organizationId);
  yield `,"auditLogsTruncated":${total > MAX_EXPORTED_AUDIT_ENTRIES},"auditLogsTotal":${total}}`;
}

async function* writeList(name: string, pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = '';
  for await (const items of pages) {
    yield separator + JSON.stringify(items).slice(1, -1);
    separator = ',';
  }
  yield ']';
}

async function* newestAudit({ sql, organizationId }: ExportScope): AsyncGenerator<AuditLogEntry[]> {
  let left = MAX_EXPORTED_AUDIT_ENTRIES;
  const read = async (last: AuditLogEntry | undefined) => {
    const page = { limit: Math.min(PAGE_ROWS, left), cursor: last?.id };
    // All entries match, so a page is full as long as there are more.
    return (await readAudit(sql, { organizationId }, page)).rows;
  };
  for await (const entries of readPages(read, PAGE_ROWS)) {
    yield entries;
    left -= entries.length;
    if (left === 0) return;
  }
}
