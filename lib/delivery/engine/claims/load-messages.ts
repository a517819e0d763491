import { toMessage } from '@/lib/delivery/engine/messages';
import { selectMessages } from '@/lib/delivery/engine/messages-sql';
import type { EventRef, Message } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';

/** Reads the messages of events and incoming events, by id. Deleted ones are missing from the result. */
export async function loadMessages(sql: Sql, sources: readonly EventRef[]): Promise<Map<string, Message>> {
  if (sources.length === 0) return new Map();
  const idsOf = (read: (source: EventRef) => string | null) => [
    ...new Set(sources.map(read).filter((id) => id !== null)),
  ];
  const eventIds = idsOf(({ eventId }) => eventId);
  const incomingEventIds = idsOf(({ incomingEventId }) => incomingEventId);
  const rows = await selectMessages.all(sql, eventIds, incomingEventIds);
  const messages = rows.map(toMessage).filter((message) => message !== null);
  return new Map(messages.map((message) => [message.id, message]));
}
