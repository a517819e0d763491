'use client';

import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { usePages } from '@/components/data-table/use-pages';
import type { Role } from '@/components/projects/role-disabled-reason';
import type { Invitation, InvitationLink, NewInvitation } from '@/lib/orgs/schema';

/** Loads the pending invitations of an organization, unless the person cannot read them, and returns their actions. */
export function useInvitations(organizationId: string, mayRead: boolean) {
  const path = `/orgs/${organizationId}/invitations`;
  const pages = usePages<Invitation>(mayRead ? path : null);
  return {
    ...pages,
    /** Inviting an address again replaces its previous invitation. */
    invite: async (body: { email: string; role: Role }): Promise<NewInvitation> => {
      const invitation = await apiFetch<NewInvitation>(path, { method: 'POST', body });
      await pages.reload();
      return invitation;
    },
    makeLink: (invitationId: string) => apiFetch<InvitationLink>(`${path}/${invitationId}/link`, { method: 'POST' }),
    revoke: async (invitationId: string) => {
      await apiFetch(`${path}/${invitationId}`, { method: 'DELETE' }).catch(ignoreGone);
      await pages.reload();
    },
  };
}

/** An invitation that was accepted or has expired is already gone from the reloaded list. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
