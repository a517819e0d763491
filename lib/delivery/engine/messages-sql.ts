import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { boolean, bytes, float, integer, nullable, text, textOf, texts, uuid, uuids } from '@/lib/platform/sql/column';
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

/**
 * The classes of mails, each with places of its own: those that a person asked for, those to an address that nobody has proven or to a
 * domain that does not answer, those that an owner can cause in any number, and those of all three that have failed.
 */
export type MailClass = 'asked' | 'unproven' | 'bulk' | 'tried';

/** The index mails_by_turn_idx contains these two expressions. */
const MAIL_CLASS = `CASE WHEN attempts > 0 THEN 'tried' WHEN is_bulk THEN 'bulk' WHEN turn_id IS NOT NULL THEN 'unproven' ELSE 'asked' END`;
const MAIL_TURN = 'coalesce(turn_id, user_id, id)';

const dueMails = (mailClass: string) =>
  `status = 'PENDING' AND (${MAIL_CLASS}) = ${mailClass} AND available_at <= now()`;
const nextTurn = (mailClass: string, after: string) => `
    SELECT ${MAIL_TURN} AS id FROM mails WHERE ${dueMails(mailClass)} AND ${MAIL_TURN} > ${after} ORDER BY ${MAIL_TURN} LIMIT 1`;
const mailOfTurn = (condition: string, direction: 'ASC' | 'DESC') => `
    (SELECT id, user_id FROM mails WHERE ${condition} AND ${dueMails('turn.class')} AND ${MAIL_TURN} = turn.id
     ORDER BY available_at ${direction}, id ${direction} LIMIT 1)`;

/**
 * Selects a due mail of each class: of the next turn that is not busy, the oldest or the newest one. Those who ask for a mail during a
 * flood of the same turn do not wait until its end. A person gets the oldest of theirs first: of several links, only the last one is open.
 */
export const selectDueMails = statement(
  `
  WITH RECURSIVE busy AS (SELECT class, id FROM unnest($busyClasses::text[], $busyTurns::uuid[]) AS b (class, id)),
  turn AS (
    SELECT c.class, first.id FROM unnest($classes::text[], $afters::uuid[]) AS c (class, after)
    CROSS JOIN LATERAL (${nextTurn('c.class', 'c.after')}) first
    UNION ALL
    SELECT turn.class, following.id FROM turn CROSS JOIN LATERAL (${nextTurn('turn.class', 'turn.id')}) following
    WHERE (turn.class, turn.id) IN (SELECT class, id FROM busy)
  )
  SELECT turn.class, turn.id AS turn, coalesce((
    SELECT id FROM mails WHERE user_id = mail.user_id AND ${dueMails('turn.class')} AND ${MAIL_TURN} = turn.id
    ORDER BY available_at, id LIMIT 1), mail.id) AS id
  FROM turn CROSS JOIN LATERAL (${mailOfTurn('$isNewest::boolean', 'DESC')}
    UNION ALL${mailOfTurn('NOT $isNewest::boolean', 'ASC')}) mail
  WHERE (turn.class, turn.id) NOT IN (SELECT class, id FROM busy)`,
  {
    params: { classes: texts, afters: uuids, busyClasses: texts, busyTurns: uuids, isNewest: boolean },
    columns: { class: textOf<MailClass>(), turn: uuid, id: uuid },
  },
);

/**
 * Leases mails that are still due: a transaction must not wait for a mail server. A lease is longer than a mail may take. Those that
 * another worker leases at the same time are left to it.
 */
export const leaseMails = statement(
  `UPDATE mails SET available_at = now() + interval '3 minutes'
   WHERE id = ANY(ARRAY(
     SELECT id FROM mails WHERE id = ANY($mails) AND status = 'PENDING' AND available_at <= now() FOR UPDATE SKIP LOCKED))
   RETURNING id, payload_encrypted`,
  { params: { mails: uuids }, columns: { id: uuid, payload_encrypted: bytes } },
);

/** Lets a leased mail that a person asked for take turns by its domain, as those to addresses that nobody has proven. It is due at once. */
export const giveTurnOfDomain = statement(`UPDATE mails SET turn_id = $domain, available_at = now() WHERE id = $mail`, {
  params: { mail: uuid, domain: uuid },
});

/** Leaves a leased mail to a later time, as if it had not been tried. */
export const postponeMail = statement(
  `UPDATE mails SET available_at = now() + interval '10 seconds' WHERE id = $mail`,
  { params: { mail: uuid } },
);

export const deleteMail = statement('DELETE FROM mails WHERE id = $mail', { params: { mail: uuid } });
