import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { CreateInvitationBody, Invitation, InvitationLink, NewInvitation } from '@/lib/orgs/schema';
import type { PageQuery } from '@/lib/platform/pagination';

const ALL = '/api/v1/orgs/{orgId}/invitations';

/** The methods of `client.invitations`. */
export function invitations(api: Api) {
  return {
    /** Lists the open invitations of an organization. */
    list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Invitation> =>
      api.list(ALL, { ids: { orgId }, query }, options),
    /** Invites an address to an organization. */
    create: (orgId: string, body: Body<typeof CreateInvitationBody>, options?: CallOptions): Promise<NewInvitation> =>
      api.call('POST', ALL, { ids: { orgId }, body }, options),
    /** Makes a link to an invitation, to hand over yourself. It replaces the link made before. */
    createLink: (orgId: string, invitationId: string, options?: CallOptions): Promise<InvitationLink> =>
      api.call('POST', `${ALL}/{invitationId}/link`, { ids: { orgId, invitationId } }, options),
    /** Revokes an invitation. */
    revoke: (orgId: string, invitationId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', `${ALL}/{invitationId}`, { ids: { orgId, invitationId } }, options),
  };
}
