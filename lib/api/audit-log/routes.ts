import { person } from '@/lib/api/callers';
import { takeDownloadSlot } from '@/lib/api/list-download';
import { writeAuditCsv } from '@/lib/audit/audit-csv';
import type { PersonCaller } from '@/lib/audit/caller';
import { type AuditFilter, listAudit } from '@/lib/audit/list-audit';
import { AuditLogEntry, ReadAuditQuery } from '@/lib/audit/schema';
import { type ApiResponse, ok } from '@/lib/http/api-response';
import { download, downloadHead, LIST_DOWNLOAD_LIMITS } from '@/lib/http/download';
import type { ApiRequest } from '@/lib/http/request';
import { route } from '@/lib/http/route';
import { organizationOf } from '@/lib/orgs/organization-of';
import { fieldError } from '@/lib/platform/errors';
import { listingOf } from '@/lib/platform/pagination';

const CSV = 'text/csv; charset=utf-8; header=present';

export const list = route({
  summary: 'List the audit log of an organization, newest first; `format=csv` downloads it as a single file.',
  caller: person('audit_log.read'),
  params: ['orgId'],
  query: ReadAuditQuery,
  response: { status: 200, schema: listingOf(AuditLogEntry) },
  // On the Node lane a download ends when the client disconnects, and Next does not buffer it.
  lane: 'node',
  handler: async ({ caller, query, request }) => {
    const { action, actorId, withoutSignIns, from, to, format } = query;
    const filter = { organizationId: organizationOf(caller), action, actorId, withoutSignIns, from, to };
    if (format === 'csv' || (format === undefined && acceptsCsv(request))) return answerCsv(caller, filter, request);
    return ok(await listAudit(filter, query));
  },
});

/** Whether the Accept header names CSV. Browsers never name it on their own. */
function acceptsCsv(request: ApiRequest): boolean {
  const ranges = request.header('accept')?.toLowerCase().split(',') ?? [];
  return ranges.some((range) => /^\s*text\/csv\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/.test(range));
}

/**
 * Answers with all entries that match as a file.
 * @throws AppError validation_failed for `limit` and `cursor`; rate_limited and overloaded as for every list
 */
async function answerCsv(caller: PersonCaller, filter: AuditFilter, request: ApiRequest): Promise<ApiResponse<never>> {
  for (const name of ['limit', 'cursor']) {
    if (request.query.has(name))
      throw fieldError(name, 'cannot be used with CSV, which contains every entry that matches');
  }
  if (request.method === 'HEAD') return downloadHead(CSV);
  const slot = await takeDownloadSlot(caller);
  const { isTruncated, chunks } = await writeAuditCsv(filter).catch((error: unknown) => {
    slot.release();
    throw error;
  });
  const file = {
    contentType: CSV,
    fileName: 'audit-log.csv',
    chunks,
    close: async () => slot.release(),
    slot,
    headers: { 'X-Audit-Log-Truncated': String(isTruncated) },
  };
  return download(file, LIST_DOWNLOAD_LIMITS);
}
