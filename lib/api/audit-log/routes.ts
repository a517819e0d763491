import { person } from '@/lib/api/callers';
import { downloadList } from '@/lib/api/list-download';
import { auditFile } from '@/lib/audit/audit-file';
import type { PersonCaller } from '@/lib/audit/caller';
import { listAudit } from '@/lib/audit/list-audit';
import { type AuditFilter, auditScan } from '@/lib/audit/list-audit-sql';
import { AuditLogEntry, ReadAuditQuery } from '@/lib/audit/schema';
import { type ApiResponse, ok } from '@/lib/http/api-response';
import type { ApiRequest } from '@/lib/http/request';
import { route } from '@/lib/http/route';
import { organizationOf } from '@/lib/orgs/tenant';
import type { WhileAllowed } from '@/lib/platform/open-connections';
import { listingOf } from '@/lib/platform/pagination';
import { endsEarly } from '@/lib/platform/write-rows';

export const list = route({
  summary: 'List the audit log of an organization, newest first; `format=csv` downloads it as a single file.',
  caller: person('audit_log.read'),
  params: ['orgId'],
  query: ReadAuditQuery,
  response: { status: 200, schema: listingOf(AuditLogEntry), headers: ['X-Audit-Log-Truncated'] },
  // Served by Node, a download ends when the client disconnects, and Next does not buffer it.
  servedBy: 'node',
  handler: async ({ caller, query, request, whileAllowed }) => {
    const { format, ...asked } = query;
    const filter = { ...asked, organizationId: organizationOf(caller) };
    if (format === 'csv' || (format === undefined && acceptsCsv(request)))
      return answerCsv(filter, { caller, request, whileAllowed });
    return ok(await listAudit(filter, query));
  },
});

/** Whether the Accept header names CSV. Browsers never name it on their own. */
function acceptsCsv(request: ApiRequest): boolean {
  const ranges = request.header('accept')?.toLowerCase().split(',') ?? [];
  return ranges.some((range) => /^\s*text\/csv\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/.test(range));
}

/** Answers with all entries that match as a file, like every list. Tells whether it is truncated by its older header, too. */
async function answerCsv(
  filter: AuditFilter,
  asked: { caller: PersonCaller; request: ApiRequest; whileAllowed: WhileAllowed },
): Promise<ApiResponse<never>> {
  const isTruncated = () => endsEarly(auditScan(filter));
  const file = await downloadList({ ...asked, format: 'csv', name: 'audit-log', ...auditFile(filter), isTruncated });
  const truncated = file.headers?.['X-Download-Truncated'];
  return truncated === undefined ? file : { ...file, headers: { ...file.headers, 'X-Audit-Log-Truncated': truncated } };
}
