import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { Member, UpdateMemberBody } from '@/lib/orgs/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ONE = '/api/v1/orgs/{orgId}/members/{userId}';

/** The methods of `client.members`. */
export function members(api: Api) {
  return {
    /** Lists the members of an organization. */
    list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Member> =>
      api.list('/api/v1/orgs/{orgId}/members', { ids: { orgId }, query }, options),
    /** Changes the role of a member. */
    update: (
      orgId: string,
      userId: string,
      body: Body<typeof UpdateMemberBody>,
      options?: CallOptions,
    ): Promise<Member> => api.call('PATCH', ONE, { ids: { orgId, userId }, body }, options),
    /** Removes a member from an organization. */
    remove: (orgId: string, userId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { orgId, userId } }, options),
  };
}
