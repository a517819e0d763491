import { MESSAGE_COLUMNS, type MessageRow, messageJoins } from './messages';

/** A delivery that fan-out made, with its message when it is handed over. */
export interface FannedOutRow extends MessageRow {
  delivery_id: string;
  target_id: string;
  is_handed_over: boolean;
}

/** Rows of the outbox that one batch takes, at most. In the text of the statement, whose plan can then be kept. */
export const BATCH_ENTRIES = 200;

/** The rows that are taken: the oldest that are due and that no other worker has. */
const DUE = `
  SELECT id FROM outbox WHERE status = 'PENDING' AND kind <> 'MAIL' AND available_at <= now()
  ORDER BY available_at, id LIMIT ${BATCH_ENTRIES} FOR UPDATE SKIP LOCKED`;
/** One row, if it is still due: another loop that met the same failing batch may just have put it off. */
const ONE = `
  SELECT id FROM outbox WHERE status = 'PENDING' AND available_at <= now() AND id = $5 FOR UPDATE SKIP LOCKED`;

/** A subscription to `order.*` gets what lies below `order.`, at any depth, but not `order` (CONTRACT 5). */
export const MATCHES = `
  (s.event_type = '*' OR s.event_type = e.type
   OR (s.event_type LIKE '%.*' AND starts_with(e.type, left(s.event_type, -1)) AND length(e.type) >= length(s.event_type)))`;

/**
 * A UUIDv7 of now: its time, a counter that keeps the order within a batch (RFC 9562, 6.2, method 1), and the random part
 * of a version 4. PostgreSQL before 18 has no function for it.
 */
const NEW_ID = `
  ((SELECT lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7')
   || lpad(to_hex(nth % 4096), 3, '0') || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid`;

/*
 * One statement from the outbox to deliveries: with one for each step, a worker spends a third of its time on round
 * trips. Rows are taken out before anything is joined to them, so that the planner cannot read the events table for a
 * few rows. Types are matched once for each project and type, not once for each event.
 *
 * It does not wait for the disk: a crash of the database that takes the deliveries away brings the outbox rows back.
 *
 * $1, $2: room for further deliveries by target, where it is known; $3: room for any other; $4: seconds of the lease.
 */
const fanOutSql = (due: string) => `
  WITH due AS MATERIALIZED (${due}
  ), durability AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)
  ), taken AS (
    DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM due))
    RETURNING id, project_id, event_id, incoming_event_id
  ), entry AS MATERIALIZED (
    SELECT t.*, i.source_id, ${MESSAGE_COLUMNS} FROM taken t CROSS JOIN durability ${messageJoins('t')}
  ), receiver AS (
    SELECT DISTINCT e.project_id, e.type, s.endpoint_id
    FROM (SELECT DISTINCT project_id, type FROM entry WHERE type IS NOT NULL) e
    JOIN subscriptions s ON s.project_id = e.project_id AND s.enabled AND ${MATCHES}
    JOIN endpoints t ON t.id = s.endpoint_id AND t.enabled AND t.deleted_at IS NULL
    JOIN projects p ON p.id = t.project_id AND p.deleted_at IS NULL
    JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
  ), pair AS (
    SELECT e.id, e.project_id, e.event_id, NULL::uuid AS incoming_event_id, r.endpoint_id, NULL::uuid AS destination_id
    FROM entry e JOIN receiver r ON r.project_id = e.project_id AND r.type = e.type
    UNION ALL
    SELECT e.id, e.project_id, NULL, e.incoming_event_id, NULL, t.id
    FROM entry e JOIN destinations t ON t.source_id = e.source_id AND t.enabled AND t.deleted_at IS NULL
    JOIN projects p ON p.id = t.project_id AND p.deleted_at IS NULL
    JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
  ), placed AS (
    SELECT pair.*, row_number() OVER (ORDER BY id) AS nth,
           row_number() OVER (PARTITION BY coalesce(endpoint_id, destination_id) ORDER BY id)
             <= coalesce(known.room, $3) AS is_handed_over
    FROM pair LEFT JOIN unnest($1::uuid[], $2::int[]) AS known(target_id, room)
      ON known.target_id = coalesce(endpoint_id, destination_id)
  ), made AS (
    INSERT INTO deliveries (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, next_attempt_at)
    SELECT ${NEW_ID}, project_id, event_id, incoming_event_id, endpoint_id, destination_id,
           CASE WHEN is_handed_over THEN now() + make_interval(secs => $4) ELSE now() END
    FROM placed ORDER BY nth
    RETURNING id, event_id, incoming_event_id, coalesce(endpoint_id, destination_id) AS target_id,
              coalesce(event_id, incoming_event_id) AS origin_id, next_attempt_at > now() + interval '1 second' AS is_handed_over
  )
  SELECT (SELECT count(*)::int FROM taken) AS entries, made.id AS delivery_id, made.event_id, made.incoming_event_id,
         made.target_id, made.is_handed_over,
         entry.type, entry.payload, entry.event_time, entry.content_type, entry.body
  FROM (SELECT) AS always LEFT JOIN made ON true
  LEFT JOIN entry ON made.is_handed_over AND made.origin_id = coalesce(entry.event_id, entry.incoming_event_id)`;

export const FAN_OUT_SQL = fanOutSql(DUE);
export const FAN_OUT_ONE_SQL = fanOutSql(ONE);
