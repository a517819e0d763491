import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import { NO_SECRETS } from '@/lib/delivery/credentials';
import { endSourceSecret, replaceSourceSecret, rotateToken } from '@/lib/incoming/rotate-sql';
import {
  type CreateSourceBody,
  type RotateSourceSecretBody,
  type RotateSourceUrlBody,
  Source,
  type SourceSecret,
  type UpdateSourceBody,
} from '@/lib/incoming/schema';
import { lockProject } from '@/lib/orgs/projects';
import { listInTurns, maySeeSecrets } from '@/lib/orgs/tenant';
import { setUrlTokens } from '@/lib/orgs/url-tokens-sql';
import { addMs, HOUR_MS, unexpired } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { decryptOrNull, encrypt } from '@/lib/platform/encryption';
import { fieldError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondDeleted, refuseBeyondLimit } from '@/lib/platform/limits';
import { type Listing, newestFirst, type Page } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Source as SourceRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { inRowTurn } from '@/lib/platform/row-turn';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { checkChangedFields, type ShownFields, signatureFields } from './signature-fields';
import { checkSourceSecret, makeSourceSecret, openSourceSecret, sealSourceSecret } from './source-secret';

/** The project of a source, and its id. */
export interface SourcePath {
  projectId: string;
  sourceId: string;
}

const liveSource = ({ projectId, sourceId }: SourcePath) => ({ id: sourceId, projectId, deletedAt: null });

/** Lists the sources of a project, newest first. */
export async function listSources(
  caller: ProjectCaller,
  projectId: string,
  page: Page,
  at: Date,
): Promise<Listing<Source>> {
  const showsUrl = maySeeSecrets(caller);
  return listInTurns(caller, projectId, page, {
    read: (some) => prisma().source.findMany(newestFirst({ projectId, deletedAt: null }, some)),
    present: (row) => presentSource(row, at, showsUrl),
  });
}

/** Reads a source of a project. @throws AppError not_found */
export async function getSource(caller: ProjectCaller, path: SourcePath, at: Date): Promise<Source> {
  return presentSource(await getSourceRow(prisma(), path), at, maySeeSecrets(caller));
}

/** Reads the row of a source that is not deleted. @throws AppError not_found */
export async function getSourceRow(db: PrismaQueries, path: SourcePath): Promise<SourceRow> {
  const row = await db.source.findFirst({ where: liveSource(path) });
  if (row === null) throw notFound('source');
  return row;
}

/**
 * Converts a row to a source of the API. Shows the end of a previous URL or secret only while it is valid.
 * @param showsUrl false hides the URL, with which requests can be sent as the provider
 */
function presentSource(row: SourceRow, at: Date, showsUrl = true): Source {
  return present(Source, {
    ...row,
    ...(row as unknown as ShownFields),
    metadata: row.metadata as Source['metadata'],
    url: showsUrl ? sourceUrl(row) : null,
    previousUrlExpiresAt: unexpired(row.previousTokenExpiresAt, at),
    hasSecret: row.secretEncrypted !== null,
    previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
  });
}

const PURPOSE = 'source-token';

/** Generates the token of a source's URL as stored: a hash to find it and a ciphertext to show it again. */
export function makeSourceToken(): { tokenHash: Buffer<ArrayBuffer>; tokenEncrypted: Buffer<ArrayBuffer> } {
  const token = randomToken();
  return { tokenHash: Buffer.from(sha256(token)), tokenEncrypted: encrypt(token, PURPOSE) };
}

/** Returns the public URL of a source by its token. @param query without the question mark; null without one */
export function urlOfToken(token: string, query: string | null = null): string {
  const { href } = new URL(`/api/v1/ingress/${token}`, config().baseUrl);
  return query === null || query === '' ? href : `${href}?${query}`;
}

/** Returns the public URL of a source; null when no key of ENCRYPTION_KEY decrypts its token. */
export function sourceUrl({ id, tokenEncrypted }: SourceRow): string | null {
  const token = decryptOrNull(tokenEncrypted, PURPOSE, { sourceId: id });
  return token === null ? null : urlOfToken(token);
}

/**
 * Creates a source with its own URL, and with a secret unless the provider generates it.
 * @throws AppError validation_failed for a field that the provider does not have; limit_reached; not_found when the
 *   project is deleted
 */
export async function createSource(
  caller: ProjectCaller,
  projectId: string,
  body: CreateSourceBody,
  at: Date,
): Promise<Source> {
  const { name, provider, enabled, metadata } = body;
  const fields = signatureFields(provider, body);
  if (body.secret !== undefined) checkSourceSecret(provider, body.secret, fields.secretEncoding);
  const secret = body.secret ?? makeSourceSecret(provider);
  const secretEncrypted = secret === null ? null : sealSourceSecret(secret);
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    refuseBeyondLimit('PROJECT_MAX_SOURCES', await tx.prisma.source.count({ where: { projectId, deletedAt: null } }));
    await refuseBeyondDeleted('PROJECT_MAX_SOURCES', (skip) =>
      tx.prisma.source.findFirst({ where: { projectId, deletedAt: { not: null } }, skip, select: { id: true } }),
    );
    const row = await tx.prisma.source.create({
      data: {
        id: newId(),
        projectId,
        name,
        provider,
        enabled,
        metadata,
        ...makeSourceToken(),
        ...fields,
        secretEncrypted,
      },
    });
    await lockCopiedTables(tx);
    await setUrlTokens.run(tx, { project: projectId, parent: row.id, tokenHashes: [Buffer.from(row.tokenHash)] });
    await auditChange(tx, caller, 'source.created', row.id, { projectId, targetName: name, provider });
    return presentSource(row, at);
  });
}

/**
 * Changes the given fields of a source. A new secret replaces the old one at once; `rotateSourceSecret` keeps both for a while.
 * @throws AppError not_found; validation_failed for a field that the provider does not have; conflict for another encoding of a secret that
 *   cannot be read
 */
export async function updateSource(
  caller: ProjectCaller,
  path: SourcePath,
  body: UpdateSourceBody,
  at: Date,
): Promise<Source> {
  return inTransaction(async (tx) => {
    // Two changes at once must not contradict each other, or the audit log: each sees what the other has stored.
    await lockProject(tx, path.projectId);
    const current = await getSourceRow(tx.prisma, path);
    const fields = Object.keys(body);
    if (fields.length === 0) return presentSource(current, at);
    checkChangedFields(current, body);
    const { secret, signatureHeader, ...others } = body;
    const encoding = body.secretEncoding ?? current.secretEncoding;
    if (secret !== undefined) checkSourceSecret(current.provider, secret, encoding);
    else if (body.secretEncoding !== undefined && current.secretEncrypted !== null) {
      checkSourceSecret(current.provider, openSourceSecret(current.secretEncrypted, current.id), encoding);
    }
    const row = await tx.prisma.source.update({
      where: liveSource(path),
      data: {
        ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
        ...(signatureHeader === undefined
          ? {}
          : { signatureHeader, earlierSignatureHeaders: earlierSignatureHeaders(current, signatureHeader) }),
        ...(secret === undefined ? {} : { ...NO_SECRETS, secretEncrypted: sealSourceSecret(secret) }),
      },
    });
    const changed = presentSource(row, at);
    const changes = changedFields(presentSource(current, at), changed, fields, ['secret']);
    const { projectId, sourceId } = path;
    if (changes !== null) await auditChange(tx, caller, 'source.updated', sourceId, { projectId, changes });
    return changed;
  });
}

const MAX_EARLIER_HEADERS = 100;

/** Returns the headers that a source has checked until now. @throws AppError validation_failed beyond 100 */
function earlierSignatureHeaders(source: SourceRow, chosen: string): string[] {
  const { signatureHeader: current, earlierSignatureHeaders: earlier } = source;
  const isSame = (name: string) => name.toLowerCase() === current?.toLowerCase();
  if (current === null || isSame(chosen) || earlier.some(isSame)) return earlier;
  if (earlier.length >= MAX_EARLIER_HEADERS) {
    throw fieldError('signatureHeader', `was changed ${MAX_EARLIER_HEADERS} times already. Create another source`);
  }
  return [...earlier, current];
}

/**
 * Gives a source a new URL. The old one works for the grace period; an even older one stops working at once.
 * @throws AppError not_found; rate_limited when many rotations wait
 */
export async function rotateSourceUrl(
  caller: ProjectCaller,
  path: SourcePath,
  { gracePeriodHours }: RotateSourceUrlBody,
  at: Date,
): Promise<Source> {
  const { projectId, sourceId } = path;
  const { tokenHash, tokenEncrypted } = makeSourceToken();
  const endsAt = addMs(at, gracePeriodHours * HOUR_MS);
  return inRowTurn(sourceId, () =>
    inTransaction(async (tx) => {
      await rotateToken.run(tx, { project: projectId, source: sourceId, tokenHash, tokenEncrypted, endsAt });
      const row = await getSourceRow(tx.prisma, path);
      const valid = [row.tokenHash, row.previousTokenHash].filter((hash) => hash !== null);
      const tokenHashes = valid.map((hash) => Buffer.from(hash));
      await lockCopiedTables(tx);
      await setUrlTokens.run(tx, { project: projectId, parent: sourceId, tokenHashes });
      await auditChange(tx, caller, 'source.url_rotated', sourceId, { projectId, gracePeriodHours });
      return presentSource(row, at);
    }),
  );
}

/** The columns of a deleted destination. */
export const deletedDestination = (at: Date) =>
  ({ deletedAt: at, enabled: false, authEncrypted: null, ...NO_SECRETS }) as const;

/**
 * Deletes a source with its destinations. Its URL returns 404 at once. The row stays, without secrets, for as long as
 * incoming events refer to it (docs/decisions/009-disabled-and-deleted-endpoints.md).
 * @throws AppError not_found
 */
export async function deleteSource(caller: ProjectCaller, path: SourcePath, at: Date): Promise<void> {
  const { projectId, sourceId } = path;
  await inTransaction(async (tx) => {
    // Without this lock, a destination or replay that is created at the same time would outlive the source.
    await lockProject(tx, projectId);
    const { name } = await getSourceRow(tx.prisma, path);
    await tx.prisma.source.update({
      where: liveSource(path),
      data: {
        deletedAt: at,
        enabled: false,
        // The column cannot be empty, and nobody can present a token with this hash.
        tokenHash: Buffer.from(sha256(`deleted source ${sourceId}`)),
        tokenEncrypted: Buffer.alloc(0),
        previousTokenHash: null,
        previousTokenExpiresAt: null,
        ...NO_SECRETS,
      },
    });
    await lockCopiedTables(tx);
    await setUrlTokens.run(tx, { project: projectId, parent: sourceId, tokenHashes: [] });
    const destinations = { sourceId, projectId, deletedAt: null };
    await tx.prisma.destination.updateMany({ where: destinations, data: deletedDestination(at) });
    await auditChange(tx, caller, 'source.deleted', sourceId, { projectId, targetName: name });
  });
}

/** Returns the secret of a source, and records that. @throws AppError not_found, also when it has none; conflict when it cannot be read */
export async function revealSourceSecret(caller: ProjectCaller, path: SourcePath, at: Date): Promise<SourceSecret> {
  return inTransaction(async (tx) => {
    const row = await getSourceRow(tx.prisma, path);
    if (row.secretEncrypted === null) throw notFound('secret');
    await auditChange(tx, caller, 'source.secret_revealed', path.sourceId, { projectId: path.projectId });
    const previousSecretExpiresAt = unexpired(row.previousSecretExpiresAt, at);
    return { secret: openSourceSecret(row.secretEncrypted, row.id), previousSecretExpiresAt };
  });
}

/**
 * Gives a source a new secret: the given one, or a generated one if the provider does not generate it. The old one stays
 * valid for the grace period.
 * @throws AppError not_found; rate_limited when many rotations wait; validation_failed when the provider generates the secret and the body has none
 */
export async function rotateSourceSecret(
  caller: ProjectCaller,
  path: SourcePath,
  body: RotateSourceSecretBody,
  at: Date,
): Promise<SourceSecret> {
  const { projectId, sourceId } = path;
  return inRowTurn(sourceId, () =>
    inTransaction(async (tx) => {
      // A change of the encoding at the same time must not contradict the secret. A generated one fits each encoding.
      if (body.secret !== undefined) await lockProject(tx, projectId);
      const { provider, secretEncoding } = await getSourceRow(tx.prisma, path);
      const secret = body.secret ?? makeSourceSecret(provider);
      if (secret === null) throw fieldError('secret', secretFault(provider));
      checkSourceSecret(provider, secret, secretEncoding);
      await replaceSourceSecret.run(tx, {
        project: projectId,
        row: sourceId,
        secret: sealSourceSecret(secret),
        expiresAt: addMs(at, body.gracePeriodHours * HOUR_MS),
      });
      const { previousSecretExpiresAt } = await getSourceRow(tx.prisma, path);
      await auditChange(tx, caller, 'source.secret_rotated', sourceId, {
        projectId,
        gracePeriodHours: body.gracePeriodHours,
      });
      return { secret, previousSecretExpiresAt: unexpired(previousSecretExpiresAt, at) };
    }),
  );
}

/** Ends the previous secret of a source before its grace period does. Changes nothing without one. @throws AppError not_found */
export async function endPreviousSourceSecret(caller: ProjectCaller, path: SourcePath): Promise<void> {
  const { projectId, sourceId } = path;
  await inTransaction(async (tx) => {
    await getSourceRow(tx.prisma, path);
    const ended = await endSourceSecret.run(tx, { project: projectId, row: sourceId });
    if (ended > 0) await auditChange(tx, caller, 'source.previous_secret_ended', sourceId, { projectId });
  });
}

function secretFault(provider: string): string {
  return provider === 'NONE' ? 'is only for a provider that signs' : 'is required: the provider generates it';
}
