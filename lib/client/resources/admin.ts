import type {
  ListAllAuditQuery,
  ListAllOrganizationsQuery,
  OrganizationDetail,
  OrganizationOverview,
  RetentionState,
  RunRetentionBody,
  SearchUsersQuery,
  Stats,
  UserRecord,
} from '@/lib/admin/schema';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';

const ADMIN = '/api/v1/admin';
const ORG = `${ADMIN}/orgs/{orgId}` as const;

/** The methods of `client.admin`. */
export function admin(api: Api) {
  return {
    /** Lists all organizations, newest first. */
    listOrganizations: (
      query?: Query<typeof ListAllOrganizationsQuery>,
      options?: CallOptions,
    ): ListRequest<OrganizationOverview> => api.list(`${ADMIN}/orgs`, { query }, options),
    /** Gets an organization with its members and projects. */
    getOrganization: (orgId: string, options?: CallOptions): Promise<OrganizationDetail> =>
      api.call('GET', ORG, { ids: { orgId } }, options),
    /** Erases an organization. */
    eraseOrganization: (orgId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', ORG, { ids: { orgId } }, options),
    /** Searches accounts. */
    searchUsers: (query?: Query<typeof SearchUsersQuery>, options?: CallOptions): ListRequest<UserRecord> =>
      api.list(`${ADMIN}/users`, { query }, options),
    /** Unlocks an account that failed sign-ins have locked. */
    unlockUser: (userId: string, options?: CallOptions): Promise<void> =>
      api.run('POST', `${ADMIN}/users/{userId}/unlock`, { ids: { userId } }, options),
    /** Closes every session of an account. */
    closeUserSessions: (userId: string, options?: CallOptions): Promise<void> =>
      api.run('POST', `${ADMIN}/users/{userId}/close-sessions`, { ids: { userId } }, options),
    /** Lists the audit log of all organizations, newest first. */
    listAuditLog: (query?: Query<typeof ListAllAuditQuery>, options?: CallOptions): ListRequest<AuditLogEntry> =>
      api.list(`${ADMIN}/audit-log`, { query }, options),
    /** Gets the statistics of the deployment. */
    getStats: (options?: CallOptions): Promise<Stats> => api.call('GET', `${ADMIN}/stats`, {}, options),
    /** Gets the state of retention. */
    getRetention: (options?: CallOptions): Promise<RetentionState> =>
      api.call('GET', `${ADMIN}/retention`, {}, options),
    /** Runs a job of retention. */
    runRetention: (body: Body<typeof RunRetentionBody>, options?: CallOptions): Promise<void> =>
      api.run('POST', `${ADMIN}/retention/run`, { body }, options),
  };
}
