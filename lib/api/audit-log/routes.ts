import { person } from '@/lib/api/callers';
import { writeAuditCsv } from '@/lib/audit/audit-csv';
import { type AuditFilter, listAudit } from '@/lib/audit/list-audit';
import { AuditLogEntry, ReadAuditQuery } from '@/lib/audit/schema';
import { type ApiResponse, ok } from '@/lib/http/api-response';
import { download } from '@/lib/http/download';
import type { ApiRequest } from '@/lib/http/request';
import { route } from '@/lib/http/route';
import { organizationOf } from '@/lib/orgs/organization-of';
import { fieldError } from '@/lib/platform/errors';
import { listingOf } from '@/lib/platform/pagination';

export const list = route({
  summary: 'List what was done in an organization, newest first; as CSV, all of it at once.',
  caller: person('audit_log.read'),
  params: ['orgId'],
  query: ReadAuditQuery,
  response: { status: 200, schema: listingOf(AuditLogEntry) },
  // A download ends with its client there, and never waits in a buffer of Next's.
  lane: 'node',
  handler: async ({ caller, query, request }) => {
    const { action, actorId, from, to, format } = query;
    const filter = { organizationId: organizationOf(caller), action, actorId, from, to };
    if (format === 'csv' || (format === undefined && acceptsCsv(request))) return answerCsv(filter, request);
    return ok(await listAudit(filter, query));
  },
});

/** Whether the Accept header asks for CSV by name; no browser's does by itself. */
function acceptsCsv(request: ApiRequest): boolean {
  const ranges = request.header('accept')?.toLowerCase().split(',') ?? [];
  return ranges.some((range) => /^\s*text\/csv\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/.test(range));
}

/** All that matches as a file. @throws AppError validation_failed for a page of it */
async function answerCsv(filter: AuditFilter, request: ApiRequest): Promise<ApiResponse<never>> {
  for (const name of ['limit', 'cursor']) {
    if (request.query.has(name)) throw fieldError(name, 'does not go with CSV, which is the whole of what matches');
  }
  const { isTruncated, chunks } = await writeAuditCsv(filter);
  return download({
    contentType: 'text/csv; charset=utf-8; header=present',
    fileName: 'audit-log.csv',
    chunks,
    headers: { 'X-Audit-Log-Truncated': String(isTruncated) },
  });
}
