import type { ApiKey as ApiKeyRow } from '@/lib/platform/prisma/generated/client';
import { creatorOf, type KeyCreators } from './creators';
import { endOf, statusOf } from './policy';
import type { ApiKey } from './schema';

/** What is shown of a key comes from these columns: its hash is not among them. */
export type ShownKey = Omit<ApiKeyRow, 'keyHash' | 'projectId' | 'rotatedAt'> & { replacedBy: { id: string } | null };

/** A key as the API shows it at a moment; `expiresAt` is its real end, which a rotation may have brought forward. */
export function presentKey(key: ShownKey, creators: KeyCreators, at: Date): ApiKey {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    status: statusOf(key, at),
    hint: key.hint,
    expiresAt: endOf(key)?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    createdBy: creatorOf(key.createdById, creators),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacesId: key.replacesId,
    replacedById: key.replacedBy?.id ?? null,
  };
}
