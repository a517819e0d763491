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

/** The methods of `client.admin`. */
export function admin(api: Api) {
  const root = '/api/v1/admin';
  const organization = `${root}/orgs/{orgId}` as const;
  return {
    /** Lists all organizations, newest first. */
    listOrganizations: (
      query?: Query<typeof ListAllOrganizationsQuery>,
      options?: CallOptions,
    ): ListRequest<OrganizationOverview> => api.list(`${root}/orgs`, { query }, options),
    /** Gets an organization with its members and projects. */
    getOrganization: (orgId: string, options?: CallOptions): Promise<OrganizationDetail> =>
      api.call('GET', organization, { ids: { orgId } }, options),
    /** Erases an organization. */
    eraseOrganization: (orgId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', organization, { ids: { orgId } }, options),
    /** Searches accounts. */
    searchUsers: (query?: Query<typeof SearchUsersQuery>, options?: CallOptions): ListRequest<UserRecord> =>
      api.list(`${root}/users`, { query }, options),
    /** Unlocks an account that failed sign-ins have locked. */
    unlockUser: (userId: string, options?: CallOptions): Promise<void> =>
      api.run('POST', `${root}/users/{userId}/unlock`, { ids: { userId } }, options),
    /** Closes every session of an account. */
    closeUserSessions: (userId: string, options?: CallOptions): Promise<void> =>
      api.run('POST', `${root}/users/{userId}/close-sessions`, { ids: { userId } }, options),
    /** Lists the audit log of all organizations, newest first. */
    listAuditLog: (query?: Query<typeof ListAllAuditQuery>, options?: CallOptions): ListRequest<AuditLogEntry> =>
      api.list(`${root}/audit-log`, { query }, options),
    /** Gets the statistics of the deployment. */
    getStats: (options?: CallOptions): Promise<Stats> => api.call('GET', `${root}/stats`, {}, options),
    /** Gets the state of retention. */
    getRetention: (options?: CallOptions): Promise<RetentionState> => api.call('GET', `${root}/retention`, {}, options),
    /** Runs a job of retention. */
    runRetention: (body: Body<typeof RunRetentionBody>, options?: CallOptions): Promise<void> =>
      api.run('POST', `${root}/retention/run`, { body }, options),
  };
}

/** The process answers. */
export interface Health {
  status: 'ok';
}

/** `degraded`: the process can serve, but another part needs attention. */
export interface Readiness {
  status: 'ok' | 'degraded';
  parts: Record<'database' | 'ingest' | 'worker', string>;
}

/** The methods of `client.operations`. */
export function operations(api: Api) {
  return {
    /** Checks that the process answers. */
    live: (options?: CallOptions): Promise<Health> =>
      api.call('GET', '/api/health/live', { isAnonymous: true, needs: ['status'] }, options),
    /** Checks that the process can serve. */
    ready: (options?: CallOptions): Promise<Readiness> =>
      api.call('GET', '/api/health/ready', { isAnonymous: true, needs: ['status'] }, options),
  };
}
