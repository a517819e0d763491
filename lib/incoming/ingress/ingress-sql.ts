import type { SourceProvider } from '@/lib/incoming/schema';
import { bigint, bytes, enumOf, float, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Joins the owners of a source `s`, none of which may be deleted. */
export const LIVE_OWNERS_SQL = `
  JOIN projects p ON p.id = s.project_id AND p.deleted_at IS NULL
  JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL`;

/** The version of a source `s`: the id of the transaction that wrote it. */
export const SOURCE_VERSION = 's.xmin::text';

/** Finds an enabled source by the hash of its URL's token, current or previous. */
export const findSource = statement(
  `SELECT s.id, s.project_id, s.provider, s.secret_encrypted AS secret, s.previous_secret_encrypted AS previous_secret,
          (extract(epoch FROM s.previous_secret_expires_at) * 1000)::float8 AS previous_secret_until_ms,
          s.signature_header AS "signatureHeader", s.signature_encoding AS "signatureEncoding",
          s.signature_prefix AS "signaturePrefix", s.signature_key AS "signatureKey",
          s.signature_algorithm AS "signatureAlgorithm", s.signed_content AS "signedContent",
          s.timestamp_header AS "timestampHeader", s.timestamp_key AS "timestampKey", s.id_header AS "idHeader",
          s.secret_encoding AS "secretEncoding", ${SOURCE_VERSION} AS version,
          CASE WHEN s.token_hash <> $tokenHash THEN (extract(epoch FROM s.previous_token_expires_at) * 1000)::float8 END
            AS token_until_ms
   FROM sources s ${LIVE_OWNERS_SQL}
   WHERE (s.token_hash = $tokenHash OR (s.previous_token_hash = $tokenHash AND s.previous_token_expires_at > now()))
     AND s.enabled AND s.deleted_at IS NULL`,
  {
    params: { tokenHash: bytes },
    columns: {
      id: uuid,
      project_id: uuid,
      provider: enumOf<SourceProvider>('SourceProvider'),
      secret: nullable(bytes),
      previous_secret: nullable(bytes),
      previous_secret_until_ms: nullable(float),
      signatureHeader: nullable(text),
      signatureEncoding: nullable(text),
      signaturePrefix: nullable(text),
      signatureKey: nullable(text),
      signatureAlgorithm: nullable(text),
      signedContent: nullable(text),
      timestampHeader: nullable(text),
      timestampKey: nullable(text),
      idHeader: nullable(text),
      secretEncoding: nullable(text),
      version: text,
      token_until_ms: nullable(float),
    },
    name: 'find-source',
  },
);

/** Finds the first request with an id of the provider. The condition on `verified` is that of the index. */
export const findFirstRequest = statement(
  `SELECT id, size, created_at FROM incoming_events
   WHERE source_id = $source AND provider_event_id = $providerEventId AND verified IS NOT FALSE`,
  {
    params: { source: uuid, providerEventId: nullable(text) },
    columns: { id: uuid, size: integer, created_at: timestamp },
  },
);

/**
 * Takes from a budget what a request to a source costs: `cost` for the request and for each of its forwards. `key` is the stored one.
 * `endsAt`, when a budget that begins now ends, and `now` are in milliseconds since 1970. Returns what has been taken in all.
 */
export const spendBudget = statement(
  `INSERT INTO rate_limits AS r (key, points, expire)
   SELECT $key, $cost::int * (1 + count(*)::int), $endsAt::bigint FROM destinations
   WHERE source_id = $source AND enabled AND deleted_at IS NULL
   ON CONFLICT (key) DO UPDATE SET
     points = CASE WHEN r.expire <= $now::bigint THEN excluded.points ELSE least(r.points, 1000000000) + excluded.points END,
     expire = CASE WHEN r.expire <= $now::bigint THEN excluded.expire ELSE r.expire END
   RETURNING points`,
  { params: { key: text, cost: integer, endsAt: bigint, source: uuid, now: bigint }, columns: { points: integer } },
);
