import type { KeyCaller } from '@/lib/audit/caller';
import { AppError } from '@/lib/platform/errors';
import { prisma } from '@/lib/platform/prisma/client';
import { effectiveExpiry, statusOf } from './policy';
import type { OwnKey } from './schema';

const SHOWN = {
  project: { select: { id: true, name: true, organization: { select: { id: true, name: true } } } },
} as const;

/**
 * Reads what a key may see of itself.
 * @throws AppError invalid_api_key when its project has just been deleted
 */
export async function getOwnKey({ keyId, projectId }: KeyCaller, at: Date): Promise<OwnKey> {
  const key = await prisma().apiKey.findFirst({ where: { id: keyId, projectId }, include: SHOWN });
  if (key === null) throw new AppError('invalid_api_key', 'This API key is not valid.');
  const { id, name, organization } = key.project;
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scope: key.scope,
    status: statusOf(key, at),
    expiresAt: effectiveExpiry(key)?.toISOString() ?? null,
    project: { id, name },
    organization,
  };
}
