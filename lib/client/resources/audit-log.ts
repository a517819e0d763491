import type { AuditLogEntry, OrganizationAuditQuery } from '@/lib/audit/schema';
import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Query } from '@/lib/client/query';

/** The methods of `client.auditLog`. */
export function auditLog(api: Api) {
  return {
    /** Lists the audit log of an organization, newest first. */
    list: (
      orgId: string,
      query?: Query<typeof OrganizationAuditQuery>,
      options?: CallOptions,
    ): ListRequest<AuditLogEntry> => api.list('/api/v1/orgs/{orgId}/audit-log', { ids: { orgId }, query }, options),
  };
}
