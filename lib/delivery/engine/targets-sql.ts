import type { BodyFormat, EndpointSignature } from '@/lib/delivery/endpoint-options-policy';
import { bytes, enumOf, float, integer, jsonOf, nullable, text, textOf, uuid, uuids } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import type { Obstacle, TargetKind } from './types';

/** The version of a row `t` of endpoints or destinations: the id of the transaction that wrote it. */
export const TARGET_VERSION = 't.xmin::text';

/** The columns of a target for a row `t` of endpoints or destinations. */
const COLUMNS = `
  t.id, t.project_id, t.url, array_to_string(t.retry_seconds, ',') AS retry_seconds,
  t.secret_encrypted AS secret, t.previous_secret_encrypted AS previous_secret,
  (extract(epoch FROM t.previous_secret_expires_at) * 1000)::float8 AS previous_until_ms,
  (extract(epoch FROM t.failing_since) * 1000)::float8 AS failing_since_ms, ${TARGET_VERSION} AS version`;

const OWNERS_SQL = 'JOIN projects p ON p.id = t.project_id JOIN organizations o ON o.id = p.organization_id';
const OBSTACLE_SQL = `
  CASE WHEN t.deleted_at IS NOT NULL OR p.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL THEN 'deleted'
       WHEN NOT t.enabled THEN 'disabled' END AS obstacle`;

const VERSION_COLUMNS = `t.id, t.project_id, ${TARGET_VERSION} AS version, ${OBSTACLE_SQL}`;

/** Selects the versions of targets by their ids, and the reason why nothing may be sent to them: a small part of what `selectTargets` reads. */
export const selectTargetVersions = statement(
  `
  SELECT 'endpoint' AS kind, ${VERSION_COLUMNS} FROM endpoints t ${OWNERS_SQL} WHERE t.id = ANY($targets)
  UNION ALL
  SELECT 'destination', ${VERSION_COLUMNS} FROM destinations t ${OWNERS_SQL} WHERE t.id = ANY($targets)`,
  {
    params: { targets: uuids },
    columns: {
      id: uuid,
      kind: textOf<TargetKind>(),
      project_id: uuid,
      version: text,
      obstacle: nullable(textOf<Obstacle>()),
    },
    name: 'load-target-versions',
  },
);

/** Selects targets by their ids, with the reason why nothing may be sent to them. */
export const selectTargets = statement(
  `
  SELECT 'endpoint' AS kind, ${COLUMNS}, NULL::bytea AS auth, t.headers_encrypted AS headers, t.signature, t.body_format, t.filter, t.rate_requests, t.rate_seconds,
         t.customer_id,
         ${OBSTACLE_SQL} FROM endpoints t ${OWNERS_SQL} WHERE t.id = ANY($targets)
  UNION ALL
  SELECT 'destination', ${COLUMNS}, t.auth_encrypted, NULL, NULL::jsonb, NULL::"BodyFormat", NULL, NULL, NULL, NULL,
         ${OBSTACLE_SQL} FROM destinations t ${OWNERS_SQL} WHERE t.id = ANY($targets)`,
  {
    params: { targets: uuids },
    columns: {
      id: uuid,
      kind: textOf<TargetKind>(),
      project_id: uuid,
      url: text,
      /** Comma-separated, since pg parses arrays slowly. */
      retry_seconds: nullable(text),
      secret: nullable(bytes),
      previous_secret: nullable(bytes),
      previous_until_ms: nullable(float),
      failing_since_ms: nullable(float),
      /** The credential of a destination, encrypted. */
      auth: nullable(bytes),
      /** The headers of an endpoint, encrypted. */
      headers: nullable(bytes),
      signature: nullable(jsonOf<EndpointSignature>()),
      body_format: nullable(enumOf<BodyFormat>('BodyFormat')),
      filter: nullable(text),
      rate_requests: nullable(integer),
      rate_seconds: nullable(integer),
      customer_id: nullable(uuid),
      version: text,
      obstacle: nullable(textOf<Obstacle>()),
    },
    name: 'load-targets',
  },
);
export type TargetRow = RowOf<typeof selectTargets.columns>;
