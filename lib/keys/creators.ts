import { prisma } from '@/lib/platform/prisma/client';
import type { KeyCreator } from './schema';

/** People who created keys and are still members of the organization, by id. */
export type KeyCreators = ReadonlyMap<string, KeyCreator>;

/**
 * Finds the creators of keys among the organization's members. Somebody who has left or erased their account is not
 * found: the remaining members must not see their name and address
 * (docs/decisions/029-a-key-shows-its-creator-while-they-belong.md).
 */
export async function findCreators(organizationId: string, userIds: readonly (string | null)[]): Promise<KeyCreators> {
  const wanted = [...new Set(userIds.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const members = await prisma().membership.findMany({
    where: { organizationId, userId: { in: wanted } },
    select: { user: { select: { id: true, name: true, email: true } } },
  });
  return new Map(members.map(({ user }) => [user.id, user]));
}

/** Returns who created a key: only the id of somebody who is not a member anymore, null when no creator is recorded. */
export function creatorOf(userId: string | null, creators: KeyCreators): KeyCreator | null {
  if (userId === null) return null;
  return creators.get(userId) ?? { id: userId, name: null, email: null };
}
