import type { SignatureEncoding, Source } from '@/lib/incoming/schema';
import type { Source as SourceRow } from '@/lib/platform/prisma/generated/client';
import { sourceUrl } from './source-url';

/** Converts a row to a source of the API. Shows the end of a previous URL or secret only while it is valid. */
export function presentSource(row: SourceRow, at: Date): Source {
  const whileValid = (end: Date | null) => (end !== null && end > at ? end.toISOString() : null);
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    url: sourceUrl(row.tokenEncrypted),
    previousUrlExpiresAt: whileValid(row.previousTokenExpiresAt),
    hasSecret: row.secretEncrypted !== null,
    previousSecretExpiresAt: whileValid(row.previousSecretExpiresAt),
    signatureHeader: row.signatureHeader,
    signatureEncoding: row.signatureEncoding as SignatureEncoding | null,
    signaturePrefix: row.signaturePrefix,
    enabled: row.enabled,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
