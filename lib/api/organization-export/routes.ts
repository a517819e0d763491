import { person } from '@/lib/api/callers';
import type { PersonCaller } from '@/lib/audit/caller';
import type { ApiResponse } from '@/lib/http/api-response';
import { DOWNLOAD_LIMITS, type DownloadLimits, downloadHead, download as toDownload } from '@/lib/http/download';
import { route } from '@/lib/http/route';
import { exportOrganization } from '@/lib/lifecycle/export/export-organization';
import { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { organizationOf } from '@/lib/orgs/organization-of';
import type { WhileAllowed } from '@/lib/platform/open-connections';

const CONTENT_TYPE = 'application/json';

export const download = route({
  summary: 'Export an organization as one JSON document, without payloads or secrets.',
  caller: person('organization.export'),
  params: ['orgId'],
  response: { status: 200, schema: OrganizationExport },
  // The Node lane writes to the socket: behind Next a stalled client could not be disconnected until it reads again.
  lane: 'node',
  // HEAD exports nothing and is not audited.
  handler: async ({ caller, request, whileAllowed }) =>
    request.method === 'HEAD' ? downloadHead(CONTENT_TYPE) : respondWithExport(caller, whileAllowed),
});

/** Answers with the export of the caller's organization as a download. */
export async function respondWithExport(
  caller: PersonCaller,
  whileAllowed: WhileAllowed,
  limits: DownloadLimits = DOWNLOAD_LIMITS,
): Promise<ApiResponse<never>> {
  const running = await exportOrganization(caller, organizationOf(caller));
  return toDownload({ contentType: CONTENT_TYPE, whileAllowed, ...running }, limits);
}
