'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { useSession } from '@/components/auth-session/use-session';
import { usePages } from '@/components/data-table/use-pages';
import { useAfterLeaving } from '@/components/orgs/use-organization';
import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useMe } from '@/components/projects/use-projects';
import { toast } from '@/components/ui/toast';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Member } from '@/lib/orgs/schema';

const membersPath = (organizationId: string) => `/orgs/${organizationId}/members`;

/** Returns the question before the signed-in person leaves an organization, which they do at its confirmation. */
export function useLeaving({ id, name }: { id: string; name: string }) {
  const { user } = useSession();
  const afterLeaving = useAfterLeaving();
  return {
    title: `Leave ${name}?`,
    description: 'You lose access to its projects immediately. To rejoin, you’ll need a new invitation.',
    confirmLabel: 'Leave organization',
    onConfirm: async () => {
      await apiFetch(`${membersPath(id)}/${user.id}`, { method: 'DELETE' });
      toast.success(`You left ${name}.`);
      await afterLeaving(id);
    },
  };
}

/** Loads the members of an organization and returns their actions. */
export function useMembers(organizationId: string) {
  const pages = usePages<Member>(membersPath(organizationId), {}, { limit: 100 });
  const { user } = useSession();
  const me = useMe();
  const reloadAfterChange = async (userId: string) => {
    // The person's own role affects every control of the page.
    if (userId === user.id) await me.mutate();
    await pages.reload();
  };
  return {
    ...pages,
    ownId: user.id,
    /** The only owner; undefined when there are several or not all members are loaded. */
    lastOwnerId: pages.hasMore ? undefined : findLastOwner(pages.rows ?? [])?.userId,
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

/** A change to a member, and who wants to make it. */
export interface MemberChange {
  /** The role of the signed-in person; undefined while unknown. */
  mine: Role | undefined;
  ownId: string;
  member: Pick<Member, 'userId' | 'role'>;
  /** The only owner; undefined when there are several. */
  lastOwnerId: string | undefined;
}

const LAST_OWNER = 'This is the last owner. Make another member an owner first.';

/** Returns the only owner of an organization; undefined when there are several. */
export function findLastOwner<M extends Pick<Member, 'role'>>(members: readonly M[]): M | undefined {
  const owners = members.filter(({ role }) => role === 'OWNER');
  return owners.length === 1 ? owners[0] : undefined;
}

/** Why the role of a member cannot be changed; undefined when it can. */
export function changeDisabledReason({ mine, member, lastOwnerId }: MemberChange): string | undefined {
  const tooLow = roleDisabledReason(mine, 'member.manage');
  if (tooLow !== undefined || mine === undefined) return tooLow;
  if (!mayManage(mine, 'member.manage', { from: member.role })) return 'Only an owner can change an owner’s role.';
  return member.userId === lastOwnerId ? LAST_OWNER : undefined;
}

/** Why a role cannot be assigned; undefined when it can. */
export function assignDisabledReason({ mine }: Pick<MemberChange, 'mine'>, to: Role): string | undefined {
  if (mine === undefined || mayManage(mine, 'member.manage', { to })) return undefined;
  return 'Only an owner can add owners.';
}

/** Why a member cannot be removed or cannot leave; undefined when they can. */
export function removeDisabledReason(change: MemberChange): string | undefined {
  const { mine, member, ownId, lastOwnerId } = change;
  if (member.userId === lastOwnerId) return LAST_OWNER;
  if (member.userId === ownId) return undefined;
  const tooLow = roleDisabledReason(mine, 'member.manage');
  if (tooLow !== undefined || mine === undefined) return tooLow;
  return mayManage(mine, 'member.manage', { from: member.role }) ? undefined : 'Only an owner can remove an owner.';
}

/** Returns the name of a member, or their email address if they have no name. */
export function nameOf(member: Pick<Member, 'name' | 'email'>): string {
  return member.name ?? member.email;
}
