import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { requireRole } from '@/lib/orgs/locks';
import { lockProject } from '@/lib/orgs/projects';
import { organizationOf } from '@/lib/orgs/tenant';
import { addMs, HOUR_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';
import type { Sql } from '@/lib/platform/db';
import { AppError, fieldError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { limitReached, refuseBeyondLimit } from '@/lib/platform/limits';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { prisma } from '@/lib/platform/prisma/client';
import type { ApiKey as ApiKeyRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { pendingUseOf, writePendingUse } from './authenticate-key';
import { hintOf, makeKey } from './key-format';
import { countWorkingKeys, lockKey, readClock } from './keys-sql';
import { effectiveExpiry, statusOf } from './policy';
import { ApiKey, type CreatedApiKey, type CreateKeyBody, type KeyCreator, OwnKey, type RotateKeyBody } from './schema';

/** What else a key is shown with. */
const SHOWN_WITH = {
  replacedBy: { select: { id: true } },
  use: { select: { lastUsedAt: true, lastUsedFrom: true } },
} as const;

/** Lists the keys of a project, newest first. */
export async function listKeys(
  caller: PersonCaller,
  projectId: string,
  page: Page,
  at: Date,
): Promise<Listing<ApiKey>> {
  const rows = await prisma().apiKey.findMany({ ...newestFirst({ projectId }, page), include: SHOWN_WITH });
  const creators = await findCreators(
    organizationOf(caller),
    rows.map(({ createdById }) => createdById),
  );
  return toListing(rows, page.limit, (row) => presentKey(row, creators, at));
}

/** Reads a key of a project. @throws AppError not_found */
export async function getKey(caller: PersonCaller, projectId: string, apiKeyId: string, at: Date): Promise<ApiKey> {
  const row = await prisma().apiKey.findFirst({ where: { id: apiKeyId, projectId }, include: SHOWN_WITH });
  if (row === null) throw notFound('API key');
  return presentKey(row, await findCreators(organizationOf(caller), [row.createdById]), at);
}

/** The columns that a key is shown from, without its hash. */
type ShownKey = Omit<ApiKeyRow, 'keyHash' | 'projectId' | 'rotatedAt'> & {
  replacedBy: { id: string } | null;
  use: { lastUsedAt: Date; lastUsedFrom: string | null } | null;
};

const NEVER_USED = { lastUsedAt: null, lastUsedFrom: null };

/** A key as the API shows it at a given time. `expiresAt` is its real end: a rotation may have brought it forward. */
export function presentKey(key: ShownKey, creators: KeyCreators, at: Date): ApiKey {
  return present(ApiKey, {
    ...key,
    ...lastUseOf(key),
    status: statusOf(key, at),
    expiresAt: effectiveExpiry(key),
    createdBy: creatorOf(key.createdById, creators),
    replacedById: key.replacedBy?.id ?? null,
  });
}

/** Returns the last use of a key: the written one, or a later one that is pending in this process. */
function lastUseOf({ id, use }: ShownKey) {
  const pending = pendingUseOf(id);
  if (pending === null || (use !== null && pending.at <= use.lastUsedAt)) return use ?? NEVER_USED;
  return { lastUsedAt: pending.at, lastUsedFrom: pending.address };
}

/** People who created keys and are still members of the organization, by id. */
type KeyCreators = ReadonlyMap<string, KeyCreator>;

/**
 * Finds the creators of keys among the organization's members. Somebody who has left or erased their account is not
 * found: the remaining members must not see their name and address
 * (docs/decisions/014-rotating-keys-and-secrets.md).
 */
async function findCreators(organizationId: string, userIds: readonly (string | null)[]): Promise<KeyCreators> {
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
): Promise<CreatedApiKey> {
  if (body.expiresAt && body.expiresAt <= at) throw fieldError('expiresAt', 'must be in the future');
  const plaintext = makeKey();
  const creators = await findCreators(organizationOf(caller), [caller.userId]);
  const row = await inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireRole(tx, caller, 'api_key.manage');
    await refuseKeyBeyondLimit(tx, projectId);
    await lockCopiedTables(tx);
    const made = await tx.prisma.apiKey.create({
      data: { ...body, ...hashed(plaintext), projectId, createdById: caller.userId, createdAt: at },
    });
    await auditChange(tx, caller, 'api_key.created', made.id, { projectId, targetName: made.name, scope: made.scope });
    return made;
  });
  return { ...presentKey({ ...row, replacedBy: null, use: null }, creators, at), key: plaintext };
}

/** The columns of a new key that follow from its plaintext. */
function hashed(plaintext: string) {
  return { id: newId(), keyHash: new Uint8Array(sha256(plaintext)), hint: hintOf(plaintext) };
}

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
  { expiresAt = null, gracePeriodHours }: RotateKeyBody,
): Promise<CreatedApiKey> {
  const organizationId = organizationOf(caller);
  const plaintext = makeKey();
  const creators = await findCreators(organizationId, [caller.userId]);
  const where = { id: apiKeyId, projectId, project: { organizationId } };
  const row = await inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireRole(tx, caller, 'api_key.manage');
    await lockCopiedTables(tx);
    await lockKey.run(tx, { key: apiKeyId, project: projectId });
    // Read after the lock: a rotation that waited for another one, or for a revocation, sees its result.
    const old = await tx.prisma.apiKey.findFirst({ where });
    const { at } = await readClock.one(tx);
    if (old === null) throw notFound('API key');
    refuseRotation(old, expiresAt, at);
    await tx.prisma.apiKey.update({
      where,
      data: { rotatedAt: at, graceEndsAt: addMs(at, gracePeriodHours * HOUR_MS) },
    });
    const { name, scope } = old;
    const made = await tx.prisma.apiKey.create({
      data: {
        name,
        scope,
        expiresAt,
        ...hashed(plaintext),
        projectId,
        replacesId: apiKeyId,
        createdById: caller.userId,
        createdAt: at,
      },
    });
    if (gracePeriodHours > 0) await refuseGraceBeyondLimit(tx, projectId);
    const replacedById = made.id;
    await auditChange(tx, caller, 'api_key.rotated', apiKeyId, { projectId, replacedById, gracePeriodHours });
    return made;
  });
  return { ...presentKey({ ...row, replacedBy: null, use: null }, creators, row.createdAt), key: plaintext };
}

/** @throws AppError validation_failed, key_already_rotated, key_revoked, key_expired */
function refuseRotation(old: ApiKeyRow, expiresAt: Date | null, at: Date): void {
  if (expiresAt !== null && expiresAt <= at) throw fieldError('expiresAt', 'must be in the future');
  if (old.rotatedAt !== null) {
    const detail = 'This API key has already been rotated. Rotate its replacement instead.';
    throw new AppError('key_already_rotated', detail);
  }
  if (old.revokedAt !== null) {
    throw new AppError('key_revoked', 'This API key has been revoked. Create a new one.');
  }
  if (old.expiresAt !== null && old.expiresAt <= at) {
    throw new AppError('key_expired', 'This API key has expired. Create a new one.');
  }
}

/**
 * Revokes a key at once. Revoking it again changes nothing and is not audited.
 * @throws AppError not_found
 */
export async function revokeKey(caller: PersonCaller, projectId: string, apiKeyId: string, at: Date): Promise<void> {
  await inTransaction(async (tx) => {
    await lockCopiedTables(tx);
    const { count } = await tx.prisma.apiKey.updateMany({
      where: { id: apiKeyId, projectId, revokedAt: null },
      data: { revokedAt: at },
    });
    if (count === 0) {
      const known = await tx.prisma.apiKey.count({ where: { id: apiKeyId, projectId } });
      if (known === 0) throw notFound('API key');
      return;
    }
    await writePendingUse(tx, apiKeyId);
    await auditChange(tx, caller, 'api_key.revoked', apiKeyId, { projectId });
  });
}

const NONE = { lasting: 0, rotated: 0 };

/** Refuses another key when the project is at its limit. The project must be locked. @throws AppError limit_reached */
async function refuseKeyBeyondLimit(tx: Sql, projectId: string): Promise<void> {
  const { lasting, rotated } = (await countWorkingKeys.first(tx, { project: projectId })) ?? NONE;
  refuseBeyondLimit('PROJECT_MAX_API_KEYS', lasting + rotated);
}

/**
 * Refuses a rotation after which too many rotated keys would still work: without this limit, rotating one key over and
 * over would pile them up. Every current key may have one predecessor in its grace period, so a project can always
 * rotate each of its keys once. Call it after the rotation, in the same transaction; the project must be locked.
 * @throws AppError limit_reached
 */
async function refuseGraceBeyondLimit(tx: Sql, projectId: string): Promise<void> {
  const { lasting, rotated } = (await countWorkingKeys.first(tx, { project: projectId })) ?? NONE;
  const most = Math.max(config().PROJECT_MAX_API_KEYS, lasting);
  if (rotated <= most) return;
  throw limitReached(
    `This project has ${most.toLocaleString('en-US')} rotated API keys in their grace period, the most it may have ` +
      '(PROJECT_MAX_API_KEYS). Rotate without a grace period, or revoke a rotated key.',
  );
}

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
  return present(OwnKey, {
    ...key,
    status: statusOf(key, at),
    expiresAt: effectiveExpiry(key),
    project: { id, name },
    organization,
  });
}
