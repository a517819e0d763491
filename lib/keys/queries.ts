import type { PersonCaller } from '@/lib/audit/caller';
import { organizationOf } from '@/lib/orgs/organization-of';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import type { ApiKey as ApiKeyRow } from '@/lib/platform/prisma/generated/client';
import { effectiveExpiry, statusOf } from './policy';
import type { ApiKey, KeyCreator } from './schema';

const WITH_SUCCESSOR = { replacedBy: { select: { id: true } } } as const;

/** Lists the keys of a project, newest first. */
export async function listKeys(
  caller: PersonCaller,
  projectId: string,
  page: Page,
  at: Date,
): Promise<Listing<ApiKey>> {
  const rows = await prisma().apiKey.findMany({
    where: { projectId, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    include: WITH_SUCCESSOR,
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  const creators = await findCreators(
    organizationOf(caller),
    rows.map(({ createdById }) => createdById),
  );
  return toListing(rows, page.limit, (row) => presentKey(row, creators, at));
}

/** Reads a key of a project. @throws AppError not_found */
export async function getKey(caller: PersonCaller, projectId: string, apiKeyId: string, at: Date): Promise<ApiKey> {
  const row = await prisma().apiKey.findFirst({ where: { id: apiKeyId, projectId }, include: WITH_SUCCESSOR });
  if (row === null) throw notFound('API key');
  return presentKey(row, await findCreators(organizationOf(caller), [row.createdById]), at);
}

/** The columns that a key is shown from, without its hash. */
type ShownKey = Omit<ApiKeyRow, 'keyHash' | 'projectId' | 'rotatedAt'> & { replacedBy: { id: string } | null };

/** A key as the API shows it at a given time. `expiresAt` is its real end: a rotation may have brought it forward. */
export function presentKey(key: ShownKey, creators: KeyCreators, at: Date): ApiKey {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    status: statusOf(key, at),
    hint: key.hint,
    expiresAt: effectiveExpiry(key)?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    createdBy: creatorOf(key.createdById, creators),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacesId: key.replacesId,
    replacedById: key.replacedBy?.id ?? null,
  };
}

/** People who created keys and are still members of the organization, by id. */
type KeyCreators = ReadonlyMap<string, KeyCreator>;

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
function creatorOf(userId: string | null, creators: KeyCreators): KeyCreator | null {
  if (userId === null) return null;
  return creators.get(userId) ?? { id: userId, name: null, email: null };
}
