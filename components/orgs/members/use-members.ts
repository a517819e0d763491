'use client';

import { useMemo } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useSession } from '@/components/auth-session/use-session';
import { usePages } from '@/components/data-table/use-pages';
import { useMe } from '@/components/projects/use-projects';
import type { Member, OrganizationSummary } from '@/lib/orgs/schema';
import { findLastOwner } from './member-disabled-reasons';

type Role = OrganizationSummary['role'];

const membersPath = (organizationId: string) => `/orgs/${organizationId}/members`;

/** Takes oneself out of an organization. @throws ApiError last_owner */
export async function leaveOrganization(organizationId: string, ownId: string): Promise<void> {
  await apiFetch(`${membersPath(organizationId)}/${ownId}`, { method: 'DELETE' });
}

/** Who belongs to an organization, and what can be done about it. */
export function useMembers(organizationId: string) {
  const pages = usePages<Member>(membersPath(organizationId), {}, { limit: 100 });
  const { user } = useSession();
  const me = useMe();
  const { rows, hasMore } = pages;
  const lastOwner = useMemo(() => (hasMore ? undefined : findLastOwner(rows ?? [])), [rows, hasMore]);
  const readAnew = async (userId: string) => {
    // One's own role decides about every control of the page.
    if (userId === user.id) await me.mutate();
    await pages.reload();
  };
  return {
    ...pages,
    ownId: user.id,
    /** The only owner there is; undefined also while not all members are read. */
    lastOwnerId: lastOwner?.userId,
    changeRole: async (userId: string, role: Role) => {
      await apiFetch(`${membersPath(organizationId)}/${userId}`, { method: 'PATCH', body: { role } });
      await readAnew(userId);
    },
    remove: async (userId: string) => {
      await apiFetch(`${membersPath(organizationId)}/${userId}`, { method: 'DELETE' });
      await readAnew(userId);
    },
  };
}
