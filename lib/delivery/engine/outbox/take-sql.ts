import { EVENT_COLUMNS, INCOMING_EVENT_COLUMNS } from '@/lib/delivery/engine/messages';
import { DESTINATION_COLUMNS, ENDPOINT_COLUMNS } from '@/lib/delivery/engine/targets';

/** Outbox rows of deliveries that are due; mails have a loop of their own. */
export const DUE = `status = 'PENDING' AND kind <> 'MAIL' AND available_at <= now()`;

/** Targets of one event that a statement names; more of them are listed page by page. */
export const MAX_NAMED_TARGETS = 1_000;

/**
 * Takes after which a row is quarantined: twice it was in the hands of a worker that died or could not store it. The
 * index outbox_quarantined_idx holds these rows.
 */
export const FRESH_TAKES = 2;

/** Rows of the projects whose turn it is, the oldest of each. $4 projects, $5 rows of each. */
const DUE_OF_PROJECTS = `
  SELECT o.* FROM unnest($4::uuid[], $5::int[]) AS turn(project_id, most)
  CROSS JOIN LATERAL (
    SELECT id, project_id, event_id, incoming_event_id, attempts, available_at FROM outbox
    WHERE ${DUE} AND attempts < ${FRESH_TAKES} AND project_id = turn.project_id
    ORDER BY available_at, id LIMIT turn.most FOR UPDATE SKIP LOCKED) o`;

/** Quarantined rows, those with most takes first. $4 how many. */
const DUE_IN_QUARANTINE = `
  SELECT id, project_id, event_id, incoming_event_id, attempts, available_at FROM outbox
  WHERE ${DUE} AND attempts >= ${FRESH_TAKES}
  ORDER BY attempts DESC, available_at LIMIT $4::int FOR UPDATE SKIP LOCKED`;

/** A subscription to `order.*` gets what lies below `order.`, at any depth, but not `order` (CONTRACT 5). */
export const MATCHES = `
  (s.event_type = '*' OR s.event_type = e.type
   OR (s.event_type LIKE '%.*' AND starts_with(e.type, left(s.event_type, -1)) AND length(e.type) >= length(s.event_type)))`;

/** Condition on a row with a project_id: neither the project nor its organization is deleted. */
const isAlive = (alias: string) => `
  EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
          WHERE p.id = ${alias}.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL)`;

/*
 * One statement from the outbox to work: it leases rows and gives their content, once for each event, with the targets of
 * each. What exceeds the bounds on bytes and deliveries stays due; the first row is always taken. A row without any target
 * leaves at once.
 *
 * Rows are chosen in turns, each project's first before anybody's second. Types are matched once for each project and type.
 * Content is read by LATERAL with OFFSET 0, since a plan that was made while the events table was small would read it whole.
 *
 * It does not wait for the disk: a crash of the database that takes the lease away makes the rows due again.
 *
 * $1 seconds of the lease; $2 bytes and $3 deliveries at most; $4 and $5: see above.
 */
const takeSql = (due: string) => `
  WITH due AS MATERIALIZED (${due}
  ), content AS MATERIALIZED (
    SELECT due.*, e.type, e.payload, e.event_time, i.source_id, i.content_type, i.body,
           coalesce(octet_length(e.payload), octet_length(i.body), 0) AS bytes,
           row_number() OVER (PARTITION BY due.project_id ORDER BY due.available_at, due.id) AS turn
    FROM due
    LEFT JOIN LATERAL (SELECT ${EVENT_COLUMNS} FROM events e WHERE e.id = due.event_id OFFSET 0) e ON true
    LEFT JOIN LATERAL (SELECT i.source_id, ${INCOMING_EVENT_COLUMNS} FROM incoming_events i
                       WHERE i.id = due.incoming_event_id OFFSET 0) i ON true
  ), matched AS MATERIALIZED (
    SELECT e.project_id, e.type, NULL::uuid AS source_id, m.targets
    FROM (SELECT DISTINCT project_id, type FROM content WHERE type IS NOT NULL) e
    CROSS JOIN LATERAL (
      SELECT array_agg(DISTINCT s.endpoint_id) AS targets FROM subscriptions s
      JOIN endpoints t ON t.id = s.endpoint_id AND t.enabled AND t.deleted_at IS NULL
      WHERE s.project_id = e.project_id AND s.enabled AND ${MATCHES} AND ${isAlive('e')}) m
    UNION ALL
    SELECT e.project_id, NULL, e.source_id, array_agg(t.id ORDER BY t.id)
    FROM (SELECT DISTINCT project_id, source_id FROM content WHERE source_id IS NOT NULL) e
    JOIN destinations t ON t.source_id = e.source_id AND t.enabled AND t.deleted_at IS NULL
    WHERE ${isAlive('e')} GROUP BY e.project_id, e.source_id
  ), sized AS (
    SELECT content.*, m.targets, coalesce(cardinality(m.targets), 0) AS deliveries
    FROM content LEFT JOIN matched m ON m.project_id = content.project_id
      AND (m.type = content.type OR m.source_id = content.source_id)
  ), chosen AS MATERIALIZED (
    SELECT * FROM (
      SELECT sized.*, row_number() OVER w AS nth, sum(bytes) OVER w AS bytes_before, sum(deliveries) OVER w AS deliveries_before
      FROM sized WINDOW w AS (ORDER BY turn, project_id, id ROWS UNBOUNDED PRECEDING)) ranked
    WHERE nth = 1 OR (bytes_before <= $2 AND deliveries_before <= $3)
  ), durability AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)
  ), removed AS (
    DELETE FROM outbox USING durability WHERE id = ANY(ARRAY(SELECT id FROM chosen WHERE deliveries = 0)) RETURNING id
  ), leased AS (
    UPDATE outbox SET available_at = now() + make_interval(secs => $1), attempts = attempts + 1
    FROM durability WHERE id = ANY(ARRAY(SELECT id FROM chosen WHERE deliveries > 0))
    RETURNING id
  ), target AS (
    SELECT DISTINCT unnest(targets[1:${MAX_NAMED_TARGETS}]) AS id FROM chosen WHERE deliveries > 0
  )
  SELECT c.id AS outbox_id, c.project_id, c.event_id, c.incoming_event_id, c.attempts + 1 AS takes, c.deliveries,
         (SELECT count(*)::int FROM due) AS due,
         c.type, CASE WHEN c.deliveries > 0 THEN c.payload END AS payload, c.event_time, c.content_type,
         CASE WHEN c.deliveries > 0 THEN c.body END AS body,
         CASE WHEN c.deliveries > 0 THEN array_to_string(c.targets[1:${MAX_NAMED_TARGETS}], ',') END AS targets,
         CASE WHEN c.attempts > 0 THEN ARRAY(
           SELECT d.id FROM deliveries d WHERE d.event_id = c.event_id OR d.incoming_event_id = c.incoming_event_id) END AS stored,
         NULL::uuid AS id, NULL::text AS kind, NULL::text AS url, NULL::int[] AS retry_seconds, NULL::bytea AS secret,
         NULL::bytea AS previous_secret, NULL::float8 AS previous_until_ms, NULL::float8 AS failing_since_ms
  FROM chosen c
  UNION ALL
  SELECT NULL, t.project_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
         t.id, t.kind, t.url, t.retry_seconds, t.secret, t.previous_secret, t.previous_until_ms, t.failing_since_ms
  FROM (SELECT ${ENDPOINT_COLUMNS} FROM target JOIN endpoints t ON t.id = target.id
        UNION ALL
        SELECT ${DESTINATION_COLUMNS} FROM target JOIN destinations t ON t.id = target.id) t`;

export const TAKE_SQL = takeSql(DUE_OF_PROJECTS);
export const TAKE_QUARANTINED_SQL = takeSql(DUE_IN_QUARANTINE);

/** Further targets of an event or incoming event, in the order of their ids. $1 event, $2 incoming event, $3 the last id seen. */
export const MORE_TARGETS_SQL = `
  SELECT DISTINCT s.endpoint_id AS id FROM events e
  JOIN subscriptions s ON s.project_id = e.project_id AND s.enabled AND ${MATCHES}
  JOIN endpoints t ON t.id = s.endpoint_id AND t.enabled AND t.deleted_at IS NULL
  WHERE e.id = $1 AND s.endpoint_id > $3
  UNION
  SELECT t.id FROM incoming_events i JOIN destinations t ON t.source_id = i.source_id AND t.enabled AND t.deleted_at IS NULL
  WHERE i.id = $2 AND t.id > $3
  ORDER BY id LIMIT ${MAX_NAMED_TARGETS}`;
