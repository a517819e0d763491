import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { mayManage } from '@/lib/orgs/permissions-policy';
import type { Member } from '@/lib/orgs/schema';

/** Who asks, about whom. */
export interface MemberChange {
  /** The role of the one who asks; undefined while it is not known. */
  mine: Role | undefined;
  ownId: string;
  member: Pick<Member, 'userId' | 'role'>;
  /** The only owner, when there is but one. */
  lastOwnerId: string | undefined;
}

const LAST_OWNER = 'The last owner: make another member an owner first.';

/** The one owner among all the members of an organization; undefined when there are several. */
export function findLastOwner<M extends Pick<Member, 'role'>>(members: readonly M[]): M | undefined {
  const owners = members.filter(({ role }) => role === 'OWNER');
  return owners.length === 1 ? owners[0] : undefined;
}

/** Why the role of a member may not be changed at all; undefined when it may. */
export function changeDisabledReason({ mine, member, lastOwnerId }: MemberChange): string | undefined {
  const tooLow = roleDisabledReason(mine, 'member.manage');
  if (tooLow !== undefined || mine === undefined) return tooLow;
  if (!mayManage(mine, 'member.manage', { from: member.role })) return 'Only an owner can change what an owner is.';
  return member.userId === lastOwnerId ? LAST_OWNER : undefined;
}

/** Why a member may not become this; undefined when they may. */
export function assignDisabledReason({ mine }: Pick<MemberChange, 'mine'>, to: Role): string | undefined {
  if (mine === undefined || mayManage(mine, 'member.manage', { to })) return undefined;
  return 'Only an owner can make owners.';
}

/** Why a member may not be removed, or oneself not leave; undefined when it may be. */
export function removeDisabledReason(question: MemberChange): string | undefined {
  const { mine, member, ownId, lastOwnerId } = question;
  if (member.userId === lastOwnerId) return LAST_OWNER;
  if (member.userId === ownId) return undefined;
  const tooLow = roleDisabledReason(mine, 'member.manage');
  if (tooLow !== undefined || mine === undefined) return tooLow;
  return mayManage(mine, 'member.manage', { from: member.role }) ? undefined : 'Only an owner can remove an owner.';
}
