import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { CreateOrganizationBody, Organization, UpdateOrganizationBody } from '@/lib/orgs/schema';
import type { PageQuery } from '@/lib/platform/pagination';
import type { OrganizationLimits } from '@/lib/usage/schema';

const ALL = '/api/v1/orgs';
const ONE = `${ALL}/{orgId}` as const;

/** The methods of `client.organizations`. */
export function organizations(api: Api) {
  return {
    /** Lists the organizations of the person. */
    list: (query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Organization> =>
      api.list(ALL, { query }, options),
    /** Creates an organization. */
    create: (body: Body<typeof CreateOrganizationBody>, options?: CallOptions): Promise<Organization> =>
      api.call('POST', ALL, { body }, options),
    /** Gets an organization. */
    get: (orgId: string, options?: CallOptions): Promise<Organization> =>
      api.call('GET', ONE, { ids: { orgId } }, options),
    /** Gets the limits of an organization and how much of each is used. */
    getLimits: (orgId: string, options?: CallOptions): Promise<OrganizationLimits> =>
      api.call('GET', `${ONE}/limits`, { ids: { orgId } }, options),
    /** Changes an organization. */
    update: (orgId: string, body: Body<typeof UpdateOrganizationBody>, options?: CallOptions): Promise<Organization> =>
      api.call('PATCH', ONE, { ids: { orgId }, body }, options),
    /** Erases an organization with all its data. */
    erase: (orgId: string, options?: CallOptions): Promise<void> => api.run('DELETE', ONE, { ids: { orgId } }, options),
  };
}
