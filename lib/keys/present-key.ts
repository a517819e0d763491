import type { ApiKey as ApiKeyRow } from '@/lib/platform/prisma/generated/client';
import { creatorOf, type KeyCreators } from './creators';
import { effectiveExpiry, statusOf } from './policy';
import type { ApiKey } from './schema';

/** The columns that a key is shown from, without its hash. */
export type ShownKey = Omit<ApiKeyRow, 'keyHash' | 'projectId' | 'rotatedAt'> & { replacedBy: { id: string } | null };

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
