import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { bytes, float, integer, nullable, text, uuid, uuids } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** The columns of an event `e` for its message. */
export const EVENT_COLUMNS =
  'e.type, e.payload, (extract(epoch FROM e.created_at) * 1000)::float8 AS event_ms, e.traceparent';
/** The columns of an incoming event `i` for its message. A large body is read when an attempt sends it. */
export const INCOMING_EVENT_COLUMNS = incomingEventColumns(String(LARGE_BODY_BYTES));
/** The bytes of an event `e` or incoming event `i`, of which these columns were selected. */
export const MESSAGE_BYTES = 'coalesce(octet_length(e.payload), octet_length(i.headers) + octet_length(i.body), 0)';

/** The columns of an event or incoming event that `toMessage` needs. */
export const MESSAGE = {
  event_id: nullable(uuid),
  incoming_event_id: nullable(uuid),
  type: nullable(text),
  payload: nullable(text),
  /** When the event was created, in milliseconds since 1970. */
  event_ms: nullable(float),
  source_id: nullable(uuid),
  /** The query string of an incoming event. */
  query: nullable(text),
  /** JSON: pairs of name and value. */
  headers: nullable(text),
  /** Empty for a large body. */
  body: nullable(bytes),
  /** The bytes of a large body; null for others. */
  large_bytes: nullable(integer),
  /** The W3C trace context of the request that it came with. */
  traceparent: nullable(text),
};
export type MessageRow = RowOf<typeof MESSAGE>;

/** @param mostBytes SQL of the size of the largest body that is read */
function incomingEventColumns(mostBytes: string): string {
  return `i.source_id, i.query, i.headers, CASE WHEN i.size <= ${mostBytes} THEN i.body ELSE '' END AS body,
  CASE WHEN i.size > ${mostBytes} THEN i.size END AS large_bytes, i.traceparent`;
}

/** Selects the content of events and of incoming events, with bodies of at most `mostBytes`. */
export const selectMessages = statement(
  `
  SELECT e.id AS event_id, NULL::uuid AS incoming_event_id, ${EVENT_COLUMNS}, NULL::uuid AS source_id, NULL::text AS query,
         NULL::text AS headers, NULL::bytea AS body, NULL::int AS large_bytes
  FROM events e WHERE e.id = ANY($events)
  UNION ALL
  SELECT NULL, i.id, NULL, NULL, NULL::float8, i.traceparent, i.source_id, i.query, i.headers, i.body, i.large_bytes
  FROM (SELECT id, ${incomingEventColumns('$mostBytes::int')} FROM incoming_events i) i WHERE i.id = ANY($incomingEvents)`,
  { params: { events: uuids, incomingEvents: uuids, mostBytes: integer }, columns: MESSAGE, name: 'load-messages' },
);

/** Selects a piece of the body of an incoming event. `start` counts from 1. */
export const selectBodyPiece = statement(
  `SELECT substring(coalesce(large_body, body) FROM $start::int FOR $length::int) AS piece
   FROM incoming_events WHERE id = $incomingEvent`,
  {
    params: { incomingEvent: uuid, start: integer, length: integer },
    columns: { piece: bytes },
    name: 'read-body-piece',
  },
);

const MAILS_AT_ONCE = 5;
/** Personal mails that are sent at once, of the oldest and of the newest. One place is left for bulk mails. */
const PERSONAL = { oldest: 2, newest: 2 };
const BULK = { oldest: 3, newest: 2 };

const DUE_MAILS = `SELECT id FROM mails WHERE status = 'PENDING' AND available_at <= now()`;

/** Due mails of a class, the oldest and the newest: those who ask for one during a flood of others do not wait until its end. */
const dueOf = (condition: string, { oldest, newest }: { oldest: number; newest: number }, turn: number) => `
      SELECT ${turn}, id FROM (${DUE_MAILS} AND ${condition} ORDER BY available_at, id LIMIT ${oldest} FOR UPDATE SKIP LOCKED) o
      UNION ALL
      SELECT ${turn + 1}, id FROM (${DUE_MAILS} AND ${condition}
        ORDER BY available_at DESC, id DESC LIMIT ${newest} FOR UPDATE SKIP LOCKED) n`;

/**
 * Leases due mails, those that people asked for before bulk mails: a flood of registrations must not delay the reset of a password. A
 * lease, as for deliveries: a transaction must not wait for a mail server. It is longer than the timeouts of the mail client.
 */
export const leaseMails = statement(
  `
  UPDATE mails SET available_at = now() + interval '3 minutes'
  WHERE id = ANY(ARRAY(
    SELECT id FROM (${dueOf('NOT is_bulk', PERSONAL, 0)}
      UNION ALL ${dueOf('is_bulk', BULK, 2)}
    ) AS due(turn, id) GROUP BY id ORDER BY min(turn) LIMIT ${MAILS_AT_ONCE}))
  RETURNING id, payload_encrypted`,
  { columns: { id: uuid, payload_encrypted: bytes } },
);

export const deleteMail = statement('DELETE FROM mails WHERE id = $mail', { params: { mail: uuid } });
