import { EVENT_COLUMNS, INCOMING_EVENT_COLUMNS, type MessageRow, toMessage } from '@/lib/delivery/engine/messages';
import type { DeliverySource, Message } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';

const LOAD_SQL = `
  SELECT e.id AS event_id, NULL::uuid AS incoming_event_id, ${EVENT_COLUMNS}, NULL::text AS content_type, NULL::bytea AS body
  FROM events e WHERE e.id = ANY($1)
  UNION ALL
  SELECT NULL, i.id, NULL, NULL, NULL::float8, ${INCOMING_EVENT_COLUMNS} FROM incoming_events i WHERE i.id = ANY($2)`;

/** Reads the messages of events and incoming events, by id. Deleted ones are missing from the result. */
export async function loadMessages(sql: Sql, sources: readonly DeliverySource[]): Promise<Map<string, Message>> {
  if (sources.length === 0) return new Map();
  const idsOf = (read: (source: DeliverySource) => string | null) => [
    ...new Set(sources.map(read).filter((id) => id !== null)),
  ];
  const { rows } = await sql.query<MessageRow>({
    name: 'load-messages',
    text: LOAD_SQL,
    values: [idsOf(({ eventId }) => eventId), idsOf(({ incomingEventId }) => incomingEventId)],
  });
  const messages = rows.map(toMessage).filter((message) => message !== null);
  return new Map(messages.map((message) => [message.id, message]));
}
