import type { ApiKey as ApiKeyRow } from '@/lib/platform/prisma/generated/client';
import { endOf, statusOf } from './policy';
import type { ApiKey } from './schema';

export type KeyWithSuccessor = ApiKeyRow & { replacedBy: { id: string } | null };

/** A key as the API shows it: never its hash. */
export function presentKey(key: KeyWithSuccessor, at: Date): ApiKey {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    status: statusOf(key, at),
    hint: key.hint,
    expiresAt: endOf(key)?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacesId: key.replacesId,
    replacedById: key.replacedBy?.id ?? null,
  };
}
