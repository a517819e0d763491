import { ROW_BYTES } from '@/lib/orgs/orgs-sql';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import { withHotConnection } from '@/lib/platform/group-commit/hot-connection';
import type { StoreOptions } from '@/lib/platform/group-commit/store-batch';
import { StoringStatements } from '@/lib/platform/group-commit/storing-statements';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { boolean, integer, nullable, text } from '@/lib/platform/sql/column';
import type { RowOf } from '@/lib/platform/sql/statement';
import { LIVE_OWNERS_SQL, SOURCE_VERSION } from './ingress-sql';

/** A request to store. */
export interface RequestRow {
  id: string;
  sourceId: string;
  /** The source as it was when the signature was checked. */
  version: string;
  /** Null for a source without signatures. */
  verified: boolean | null;
  providerEventId: string | null;
  query: string | null;
  contentType: string | null;
  eventType: string | null;
  /** JSON text. */
  headers: string;
  body: Buffer;
  createdAt: Date;
  /** The W3C trace context of the request; null without one. */
  traceparent: string | null;
  clientAddress: string | null;
  /** How many requests without a valid signature are kept per source and hour. */
  unverifiedPerHour: number;
}

export interface RequestOutcome {
  /** Whether the source is enabled and unchanged; otherwise nothing was stored. */
  isCurrent: boolean;
  /** Not stored: a retry, or an unverified request beyond the limit. */
  stored: boolean;
}

const IS_LARGE = `octet_length(c.body) > ${LARGE_BODY_BYTES}`;
const OUTCOME = { n: integer, is_current: boolean, stored: boolean, woken: nullable(text) };
const COLUMN_TYPES = [
  'uuid',
  'uuid',
  'text',
  'bool',
  'text',
  'text',
  'text',
  'text',
  'text',
  'bytea',
  'timestamptz',
  'int',
  'text',
  'text',
];

/**
 * Stores the requests of current sources, and the outbox rows of those that are forwarded, in one statement: one round trip
 * and one commit, after which the sender gets 202 (docs/specification.md#incoming-events).
 * @throws AppError unavailable when there is no connection; then nothing was sent
 */
export async function storeRequests(rows: readonly RequestRow[], options: StoreOptions): Promise<RequestOutcome[]> {
  const { mayBeStored, lockTimeoutMs } = options;
  const values: unknown[] = [`${lockTimeoutMs}ms`];
  for (const row of rows) {
    values.push(row.id, row.sourceId, row.version, row.verified, row.providerEventId, row.query);
    values.push(
      row.contentType,
      row.eventType,
      row.headers,
      row.body,
      row.createdAt.toISOString(),
      row.unverifiedPerHour,
      row.traceparent,
      row.clientAddress,
    );
  }
  const query = { ...statements.of(rows.length, mayBeStored), values };
  const found = await withHotConnection(mayBeStored, (client) => client.query<RowOf<typeof OUTCOME>>(query));
  const outcomes: RequestOutcome[] = [];
  for (const row of found.rows) {
    // A row without a provider id can only conflict with itself, after an earlier try.
    const isThere = mayBeStored && rows[row.n]?.providerEventId === null && rows[row.n]?.verified !== false;
    outcomes[row.n] = { isCurrent: row.is_current, stored: row.stored || isThere };
  }
  return outcomes;
}

const statements = new StoringStatements({
  name: 'store-requests',
  columnTypes: COLUMN_TYPES,
  columns: OUTCOME,
  conflict: '(source_id, provider_event_id) WHERE provider_event_id IS NOT NULL AND verified IS NOT FALSE',
  text: statementText,
});

/*
 * Rows are inserted in the order of their unique keys, so that the statements of several processes never deadlock.
 * `checked` sets the lock timeout of this transaction before any row is inserted. Statements that run at once may each
 * keep a few unverified requests more than the limit.
 */
function statementText(tuples: string, conflict: string): string {
  return `
WITH checked AS MATERIALIZED (
  SELECT i.*, s.project_id,
    row_number() OVER (PARTITION BY i.source_id, i.verified ORDER BY i.n) AS place,
    CASE WHEN s.id IS NOT NULL AND NOT i.verified THEN (
      SELECT count(*) FROM (
        SELECT FROM incoming_events u
        WHERE u.source_id = i.source_id AND u.verified = false AND u.created_at > now() - interval '1 hour'
        LIMIT i.unverified_per_hour) recent) END AS recent
  FROM (SELECT set_config('lock_timeout', $1, true) AS ms OFFSET 0) lock_timeout
  CROSS JOIN (VALUES ${tuples}) i
    (n, id, source_id, version, verified, provider_event_id, query, content_type, event_type, headers, body, created_at,
     unverified_per_hour, traceparent, client_address)
  LEFT JOIN (sources s ${LIVE_OWNERS_SQL})
    ON s.id = i.source_id AND s.enabled AND s.deleted_at IS NULL AND ${SOURCE_VERSION} = i.version
  WHERE lock_timeout.ms IS NOT NULL
),
stored AS (
  INSERT INTO incoming_events (id, project_id, source_id, verified, provider_event_id, method, query, content_type, event_type,
                               headers, body, large_body, size, created_at, traceparent, client_address)
  SELECT c.id, c.project_id, c.source_id, c.verified, c.provider_event_id, 'POST', c.query, c.content_type, c.event_type,
         c.headers, CASE WHEN ${IS_LARGE} THEN '' ELSE c.body END, CASE WHEN ${IS_LARGE} THEN c.body END, octet_length(c.body),
         c.created_at, c.traceparent, c.client_address
  FROM checked c
  WHERE c.project_id IS NOT NULL AND (c.verified IS NOT FALSE OR c.place + c.recent <= c.unverified_per_hour)
  ORDER BY c.source_id, c.provider_event_id COLLATE "C", c.id
  ON CONFLICT ${conflict} DO NOTHING
  RETURNING id, project_id, verified, size + octet_length(headers) + ${ROW_BYTES} AS bytes
),
queued AS (
  INSERT INTO outbox (id, kind, project_id, incoming_event_id)
  SELECT id, 'INCOMING_EVENT', project_id, id FROM stored WHERE verified IS NOT FALSE
),
counted AS (
  INSERT INTO stat_batches (project_ids, kinds, bytes)
  SELECT array_agg(project_id), array_agg(CASE WHEN verified THEN 'INCOMING_VERIFIED' WHEN verified IS NULL THEN 'INCOMING_UNSIGNED'
                                               ELSE 'INCOMING_REJECTED' END::"StatKind"),
         array_agg(bytes)
  FROM stored HAVING count(*) > 0
)
SELECT c.n, c.project_id IS NOT NULL AS is_current, s.id IS NOT NULL AS stored,
  -- The payload names the projects, so workers need not search for them. 64 ids fit into its limit of 8,000 bytes.
  (SELECT pg_notify(${cellChannelSql('eds_outbox')}, string_agg(DISTINCT project_id::text, ','))::text FROM stored
   WHERE verified IS NOT FALSE HAVING count(*) > 0) AS woken
FROM checked c
LEFT JOIN stored s ON s.id = c.id`;
}

/** Checked against the database by a test. */
export const CHECKED_STATEMENTS = statements.samples;
