import type { PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { lockProject } from '@/lib/orgs/lock-project';
import { organizationOf } from '@/lib/orgs/organization-of';
import { sha256 } from '@/lib/platform/crypto';
import { AppError, fieldError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { hintOf, makeKey } from './key-format';
import { refuseGraceBeyondLimit } from './limit-keys';
import { findCreators, presentKey } from './queries';
import { type RotationOutcome, type RotationVerdict, storeRotation } from './rotate-sql';
import type { NewApiKey, RotateKeyBody } from './schema';

/**
 * Replaces a key by one with the same name and scope. The result is the only place where the new plaintext appears. The
 * old key works for `gracePeriodHours` more, but never beyond its own expiry, and cannot be rotated again.
 * @throws AppError not_found, validation_failed when expiresAt has passed, key_already_rotated, key_revoked, key_expired;
 *   limit_reached when too many rotated keys would be in their grace period; a grace period of 0 is never refused for it
 */
export async function rotateKey(
  caller: PersonCaller,
  projectId: string,
  apiKeyId: string,
  body: RotateKeyBody,
): Promise<NewApiKey> {
  const organizationId = organizationOf(caller);
  const plaintext = makeKey();
  const replacement = {
    id: newId(),
    hint: hintOf(plaintext),
    expiresAt: body.expiresAt ?? null,
    createdById: caller.userId,
  };
  const creators = await findCreators(organizationId, [caller.userId]);
  const { name, scope, at } = await inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    const outcome = refuseUnlessRotated(
      await storeRotation(tx, {
        apiKeyId,
        projectId,
        organizationId,
        graceHours: body.gracePeriodHours,
        replacement: { ...replacement, keyHash: sha256(plaintext) },
      }),
    );
    if (body.gracePeriodHours > 0) await refuseGraceBeyondLimit(tx, projectId);
    await recordAudit(tx, caller, {
      action: 'api_key.rotated',
      organizationId,
      target: { type: 'api_key', id: apiKeyId },
      details: { projectId, replacedById: replacement.id, gracePeriodHours: body.gracePeriodHours },
    });
    return outcome;
  });
  const unused = { revokedAt: null, graceEndsAt: null, lastUsedAt: null, replacedBy: null };
  const key = { ...replacement, ...unused, name, scope, createdAt: at, replacesId: apiKeyId };
  return { ...presentKey(key, creators, at), key: plaintext };
}

const REFUSALS: Record<Exclude<RotationVerdict, 'rotated'>, () => AppError> = {
  expiry_passed: () => fieldError('expiresAt', 'must be in the future'),
  key_already_rotated: () =>
    new AppError('key_already_rotated', 'This API key has already been rotated. Rotate its replacement instead.'),
  key_revoked: () => new AppError('key_revoked', 'This API key has been revoked. Create a new one.'),
  key_expired: () => new AppError('key_expired', 'This API key has expired. Create a new one.'),
};

function refuseUnlessRotated(outcome: RotationOutcome | null): RotationOutcome {
  if (outcome === null) throw notFound('API key');
  if (outcome.verdict !== 'rotated') throw REFUSALS[outcome.verdict]();
  return outcome;
}
