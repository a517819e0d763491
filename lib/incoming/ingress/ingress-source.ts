import type { SourceProvider } from '@/lib/incoming/schema';
import type { SignatureRule } from '@/lib/incoming/signatures/received';
import { openSourceSecret } from '@/lib/incoming/sources/source-secret';
import type { RowOf } from '@/lib/platform/sql/statement';
import type { findSource } from './ingress-sql';

/** A source, prepared for receiving requests. */
export interface IngressSource {
  id: string;
  projectId: string;
  provider: SourceProvider;
  /** Secrets with the time at which each ends, in milliseconds since 1970. */
  secrets: readonly { secret: string; untilMs: number }[];
  signature: Pick<SignatureRule, 'header' | 'encoding' | 'prefix'>;
  /** Differs after every change of the source. */
  version: string;
  /** When the URL that was used ends, in milliseconds since 1970. */
  urlUntilMs: number;
  /** When it was read, by performance.now(). */
  readAt: number;
}

/** Decrypts the secrets of a row. @throws Error when no key of ENCRYPTION_KEY decrypts them */
export function toIngressSource(row: RowOf<typeof findSource.columns>): IngressSource {
  const sealed = [
    { secret: row.secret, untilMs: Number.POSITIVE_INFINITY },
    { secret: row.previous_secret, untilMs: row.previous_secret_until_ms ?? 0 },
  ];
  return {
    id: row.id,
    projectId: row.project_id,
    provider: row.provider,
    secrets: sealed.flatMap(({ secret, untilMs }) =>
      secret === null ? [] : [{ secret: openSourceSecret(secret), untilMs }],
    ),
    signature: {
      header: row.signature_header ?? '',
      encoding: row.signature_encoding === 'base64' ? 'base64' : 'hex',
      prefix: row.signature_prefix ?? '',
    },
    version: row.version,
    urlUntilMs: row.token_until_ms ?? Number.POSITIVE_INFINITY,
    readAt: performance.now(),
  };
}
