import type { Sql } from '@/lib/platform/db';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import { log } from '@/lib/platform/log';
import { parseHeaderPairs } from '@/lib/platform/net/header-pairs';
import { readVia, VIA_HEADER, viaHeader } from '@/lib/platform/net/via';
import { Yielder } from '@/lib/platform/yielder';
import { type MessageRow, selectMessages } from './messages-sql';
import { forwardedHeaders } from './request-headers';
import type { EventRef, Message } from './types';

/** Returns the id of the event or incoming event. */
export function sourceIdOf({ eventId, incomingEventId }: EventRef): string {
  return eventId ?? incomingEventId ?? '';
}

/** Makes the message of a row; null if its event has been deleted or has no target. */
export function toMessage(row: MessageRow): Message | null {
  const trace = row.traceparent === null ? {} : { traceparent: row.traceparent };
  if (row.event_id !== null && row.type !== null && row.payload !== null && row.event_ms !== null) {
    const timestamp = new Date(row.event_ms).toISOString();
    return { ...eventMessage({ id: row.event_id, type: row.type, timestamp, data: row.payload }), ...trace };
  }
  const { incoming_event_id: id, source_id: sourceId, headers, body } = row;
  if (id !== null && sourceId !== null && headers !== null && body !== null) {
    const query = row.query === null ? {} : { query: row.query };
    const large = row.large_bytes === null ? {} : { largeBytes: row.large_bytes };
    return { ...forwardMessage({ id, sourceId, headers, body }), ...large, ...query, ...trace };
  }
  return null;
}

/** Makes the message that forwards an incoming event: its body and headers, with its id, its source, and what it passed through. */
function forwardMessage(event: { id: string; sourceId: string; headers: string; body: Buffer }): Message {
  const found = parseHeaderPairs(event.headers);
  if (found === null) log().error({ incomingEventId: event.id }, 'headers cannot be read; forwarding the body alone');
  // A damaged row must not fail the others of its batch.
  const pairs = found ?? [];
  const before = readVia(pairs.flatMap(([name, value]) => (name === VIA_HEADER ? [value] : [])).join());
  return {
    id: event.id,
    kind: 'incoming event',
    headers: {
      ...forwardedHeaders(pairs),
      'x-eds-source-id': event.sourceId,
      'x-eds-incoming-event-id': event.id,
      [VIA_HEADER]: viaHeader(event.sourceId, event.id, before),
    },
    body: event.body,
    bytes: event.headers.length + event.body.length,
  };
}

/** Appends the query string of an incoming event to the URL or the path of a target. */
export function withQuery(target: string, query: string | null | undefined): string {
  if (query === null || query === undefined) return target;
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

const NO_HOPS = readVia(null);

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
  const start = `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":`;
  const body = Buffer.from(`${start}${data}}`);
  const headers = { 'content-type': 'application/json', [VIA_HEADER]: viaHeader(id, id, NO_HOPS) };
  // Types and times are ASCII.
  const event = { type, dataStart: start.length, dataEnd: body.length - 1 };
  return { id, kind: 'event', headers, body, event, bytes: body.length };
}

/** Returns the bytes that a target gets of a message. @param sendsData whether it gets the data of an event alone */
export function sentBody({ body, event }: Message, sendsData: boolean): Buffer {
  return sendsData && event !== undefined ? body.subarray(event.dataStart, event.dataEnd) : body;
}

/**
 * Reads the messages of events and incoming events, by id. Deleted ones are missing from the result.
 * @param mostBytes the size of a larger body of an incoming event is read instead of the body
 */
export async function loadMessages(
  sql: Sql,
  sources: readonly EventRef[],
  mostBytes = LARGE_BODY_BYTES,
): Promise<Map<string, Message>> {
  if (sources.length === 0) return new Map();
  const idsOf = (read: (source: EventRef) => string | null) => [
    ...new Set(sources.map(read).filter((id) => id !== null)),
  ];
  const eventIds = idsOf(({ eventId }) => eventId);
  const incomingEventIds = idsOf(({ incomingEventId }) => incomingEventId);
  const rows = await selectMessages.all(sql, { events: eventIds, incomingEvents: incomingEventIds, mostBytes });
  const messages = new Map<string, Message>();
  const yielder = new Yielder();
  for (const row of rows) {
    if (yielder.shouldYield()) await yielder.yield();
    const message = toMessage(row);
    if (message !== null) messages.set(message.id, message);
  }
  return messages;
}
