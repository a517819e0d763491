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

/** Removes the signed-in person from an organization. @throws ApiError last_owner */
export async function leaveOrganization(organizationId: string, ownId: string): Promise<void> {
  await apiFetch(`${membersPath(organizationId)}/${ownId}`, { method: 'DELETE' });
}

/** Loads the members of an organization and returns their actions. */
export function useMembers(organizationId: string) {
  const pages = usePages<Member>(membersPath(organizationId), {}, { limit: 100 });
  const { user } = useSession();
  const me = useMe();
  const { rows, hasMore } = pages;
  const lastOwner = useMemo(() => (hasMore ? undefined : findLastOwner(rows ?? [])), [rows, hasMore]);
  const reloadAfterChange = async (userId: string) => {
    // The person's own role affects every control of the page.
    if (userId === user.id) await me.mutate();
    await pages.reload();
  };
  return {
    ...pages,
    ownId: user.id,
    /** The only owner; undefined when there are several or not all members are loaded. */
    lastOwnerId: lastOwner?.userId,
    changeRole: async (userId: string, role: Role) => {
      await apiFetch(`${membersPath(organizationId)}/${userId}`, { method: 'PATCH', body: { role } });
      await reloadAfterChange(userId);
    },
    remove: async (userId: string) => {
      await apiFetch(`${membersPath(organizationId)}/${userId}`, { method: 'DELETE' });
      await reloadAfterChange(userId);
    },
  };
}
