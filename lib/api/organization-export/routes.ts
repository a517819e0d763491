import { person } from '@/lib/api/callers';
import { downloadHead, download as toDownload } from '@/lib/http/download';
import { route } from '@/lib/http/route';
import { exportOrganization } from '@/lib/lifecycle/export/export-organization';
import { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { organizationOf } from '@/lib/orgs/tenant';

const CONTENT_TYPE = 'application/json';

export const download = route({
  summary: 'Export an organization as one JSON document, without payloads or secrets.',
  caller: person('organization.export'),
  params: ['orgId'],
  response: { status: 200, schema: OrganizationExport, headers: ['Content-Disposition'] },
  // Node writes to the socket: behind Next a stalled client could not be disconnected until it reads again.
  servedBy: 'node',
  // HEAD exports nothing and is not audited.
  handler: async ({ caller, request, whileAllowed }) => {
    if (request.method === 'HEAD') return downloadHead(CONTENT_TYPE);
    const running = await exportOrganization(caller, organizationOf(caller));
    return toDownload({ contentType: CONTENT_TYPE, whileAllowed, ...running });
  },
});
