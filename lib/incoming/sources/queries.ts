import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import type { SignatureEncoding, Source } from '@/lib/incoming/schema';
import { maySeeSecrets } from '@/lib/orgs/may-see-secrets';
import { unexpired } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { randomToken, sha256 } from '@/lib/platform/crypto';
import { decryptOrNull, encrypt } from '@/lib/platform/encryption';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Source as SourceRow } from '@/lib/platform/prisma/generated/client';

/** Lists the sources of a project, newest first. */
export async function listSources(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  page: Page,
  at: Date,
): Promise<Listing<Source>> {
  const rows = await prisma().source.findMany({
    where: { projectId, deletedAt: null, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  const showsUrl = maySeeSecrets(caller);
  return toListing(rows, page.limit, (row) => presentSource(row, at, showsUrl));
}

/** Reads a source of a project. @throws AppError not_found */
export async function getSource(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  sourceId: string,
  at: Date,
): Promise<Source> {
  return presentSource(await getSourceRow(prisma(), projectId, sourceId), at, maySeeSecrets(caller));
}

/** Reads the row of a source that is not deleted. @throws AppError not_found */
export async function getSourceRow(db: PrismaQueries, projectId: string, sourceId: string): Promise<SourceRow> {
  const row = await db.source.findFirst({ where: { id: sourceId, projectId, deletedAt: null } });
  if (row === null) throw notFound('source');
  return row;
}

/**
 * Converts a row to a source of the API. Shows the end of a previous URL or secret only while it is valid.
 * @param showsUrl false hides the URL, with which requests can be sent as the provider
 */
export function presentSource(row: SourceRow, at: Date, showsUrl = true): Source {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    url: showsUrl ? sourceUrl(row) : null,
    previousUrlExpiresAt: unexpired(row.previousTokenExpiresAt, at),
    hasSecret: row.secretEncrypted !== null,
    previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
    signatureHeader: row.signatureHeader,
    signatureEncoding: row.signatureEncoding as SignatureEncoding | null,
    signaturePrefix: row.signaturePrefix,
    enabled: row.enabled,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const PURPOSE = 'source-token';

/** Generates the token of a source's URL as stored: a hash to find it and a ciphertext to show it again. */
export function makeSourceToken(): { tokenHash: Buffer<ArrayBuffer>; tokenEncrypted: Buffer<ArrayBuffer> } {
  const token = randomToken();
  return { tokenHash: Buffer.from(sha256(token)), tokenEncrypted: encrypt(token, PURPOSE) };
}

/** Returns the public URL of a source; null when no key of ENCRYPTION_KEY decrypts its token. */
function sourceUrl({ id, tokenEncrypted }: { id: string; tokenEncrypted: Uint8Array }): string | null {
  const token = decryptOrNull(tokenEncrypted, PURPOSE, { sourceId: id });
  return token === null ? null : new URL(`/api/v1/ingress/${token}`, config().baseUrl).href;
}
