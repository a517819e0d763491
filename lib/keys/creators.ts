import { prisma } from '@/lib/platform/prisma/client';
import type { KeyCreator } from './schema';

/** The people who made keys and are still members of the organization, by id. */
export type KeyCreators = ReadonlyMap<string, KeyCreator>;

/**
 * Looks the makers of keys up among the organization's members: whoever left it, or erased their account, is nobody's
 * business there any more.
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

/** Who made a key; null where nobody is recorded. */
export function creatorOf(userId: string | null, creators: KeyCreators): KeyCreator | null {
  if (userId === null) return null;
  return creators.get(userId) ?? { id: userId, name: null, email: null };
}
