import type { SignatureEncoding, Source } from '@/lib/incoming/schema';
import { unexpired } from '@/lib/platform/clock';
import type { Source as SourceRow } from '@/lib/platform/prisma/generated/client';
import { sourceUrl } from './source-url';

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
