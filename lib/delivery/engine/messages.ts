import type { MessageRow } from './messages-sql';
import type { DeliverySource, Message } from './types';

/** Returns the id of the event or incoming event. */
export function sourceIdOf({ eventId, incomingEventId }: DeliverySource): string {
  return eventId ?? incomingEventId ?? '';
}

/** Makes the message of a row; null if its event has been deleted or has no target. */
export function toMessage(row: MessageRow): Message | null {
  if (row.event_id !== null && row.type !== null && row.payload !== null && row.event_ms !== null) {
    const timestamp = new Date(row.event_ms).toISOString();
    return eventMessage({ id: row.event_id, type: row.type, timestamp, data: row.payload });
  }
  if (row.incoming_event_id !== null && row.body !== null) {
    const contentType = row.content_type ?? 'application/octet-stream';
    return { id: row.incoming_event_id, contentType, body: row.body };
  }
  return null;
}

export interface EventContent {
  id: string;
  type: string;
  /** RFC 3339, UTC. */
  timestamp: string;
  /** JSON text, sent without a change. */
  data: string;
}

/**
 * Makes the message of an event (docs/specification.md#deliveries). The text of `data` is never parsed, so receivers get the bytes
 * that the sender sent.
 */
export function eventMessage({ id, type, timestamp, data }: EventContent): Message {
  const text = `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${data}}`;
  return { id, contentType: 'application/json', body: Buffer.from(text) };
}
