import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { lockProject } from '@/lib/orgs/lock-project';
import { organizationOf } from '@/lib/orgs/organization-of';
import { sha256 } from '@/lib/platform/crypto';
import { fieldError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { hintOf, makeKey } from './key-format';
import { refuseKeyBeyondLimit } from './limit-keys';
import { findCreators, presentKey } from './queries';
import type { CreateKeyBody, NewApiKey } from './schema';

/**
 * Creates a key of a project. The result is the only place where the plaintext appears.
 * @throws AppError validation_failed when expiresAt has passed; limit_reached; not_found when the project is being
 *   deleted
 */
export async function createKey(
  caller: PersonCaller,
  projectId: string,
  body: CreateKeyBody,
  at: Date,
): Promise<NewApiKey> {
  if (body.expiresAt && body.expiresAt <= at) throw fieldError('expiresAt', 'must be in the future');
  const organizationId = organizationOf(caller);
  const plaintext = makeKey();
  const creators = await findCreators(organizationId, [caller.userId]);
  const row = await inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await refuseKeyBeyondLimit(tx, projectId);
    const made = await tx.prisma.apiKey.create({
      data: {
        id: newId(),
        projectId,
        name: body.name,
        scope: body.scope,
        keyHash: new Uint8Array(sha256(plaintext)),
        hint: hintOf(plaintext),
        expiresAt: body.expiresAt ?? null,
        createdById: caller.userId,
        createdAt: at,
      },
    });
    await recordAudit(tx, caller, {
      action: 'api_key.created',
      organizationId,
      target: { type: 'api_key', id: made.id },
      details: { projectId, targetName: made.name, scope: made.scope },
    });
    return made;
  });
  return { ...presentKey({ ...row, replacedBy: null }, creators, at), key: plaintext };
}
