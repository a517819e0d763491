import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Member } from '@/lib/orgs/schema';

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
