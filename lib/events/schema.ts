import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CREATED_WITHIN, CreatedAt } from '@/lib/platform/instant';
import { ClientAddress, ContentSearch, PageQuery } from '@/lib/platform/pagination';
import { DELIVERY_STATUS_FILTERS } from './delivery-state-policy';
import { TYPE_PATTERN } from './type-pattern-policy';

export const EventType = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');

/** An exact type, `order.*` for all types below `order.`, or `*` for all types. */
export const EventTypePattern = z.string().regex(TYPE_PATTERN, 'must be an event type, a prefix such as order.*, or *');

const isJsonObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON object. Its content belongs to the sender and is not validated. */
export const EventData = z
  .custom<Record<string, unknown>>(isJsonObject, 'must be a JSON object')
  .meta({ type: 'object', additionalProperties: true, description: 'Any JSON object of at most 256 KiB' });

export const SendEventBody = z.strictObject({
  type: field(EventType, 'The event type, such as `order.paid`, which subscriptions match', 'order.paid'),
  data: field(EventData, 'The payload: any JSON object of at most 256 KiB', {
    orderId: 'ord_8f2c1',
    amount: 4200,
    currency: 'EUR',
  }),
});
export type SendEventBody = z.infer<typeof SendEventBody>;

export const EventSummary = z.object({
  id: Id,
  type: field(z.string(), 'The event type, such as `order.paid`, which subscriptions match', 'order.paid'),
  createdAt: CreatedAt,
});
export type EventSummary = z.infer<typeof EventSummary>;

/** An event, and how it was sent. */
export const SentEvent = EventSummary.extend({
  idempotencyKey: field(
    z.string().nullable(),
    'The Idempotency-Key that it was sent with; null without one',
    'ord_8f2c1-paid',
  ),
  apiKeyId: field(Id.nullable(), 'The API key that it was sent with; null for an event of an earlier version'),
  clientAddress: field(
    z.string().nullable(),
    'The address of the server that sent it; null if unknown, and for a browser',
    '203.0.113.7',
  ),
});
export type SentEvent = z.infer<typeof SentEvent>;

/** How far the deliveries of an event are made. */
export const FanOutStatus = z.enum(['PENDING', 'COMPLETED', 'DEAD']);
export type FanOutStatus = z.infer<typeof FanOutStatus>;

/** Where a search of a list found its text in the content. */
export const SearchMatch = z.object({
  before: field(z.string(), 'What is before it, in one line', '{'),
  found: field(z.string(), 'What was found', '"orderId": "ord_8f2c1"'),
  after: field(z.string(), 'What is after it', ', "amount": 4200}'),
});
export type SearchMatch = z.infer<typeof SearchMatch>;

/** An event with the counts of its deliveries, so that a list shows its outcome. */
export const EventListItem = SentEvent.extend({
  fanOutStatus: field(
    FanOutStatus,
    'Progress of creating the deliveries. `PENDING`: not done yet. `COMPLETED`: done; no more are created for this event. `DEAD`: creating them failed after several tries',
  ),
  deliveries: field(
    z.object({
      pending: field(z.int(), 'Queued or retrying', 0),
      queued: field(z.int(), 'Waiting for the first attempt'),
      retrying: field(z.int(), 'Waiting for another attempt'),
      succeeded: field(z.int(), 'Finished with a 2xx response', 2),
      failed: field(z.int(), 'Failed, with no more attempts', 0),
    }),
    'Number of deliveries by status',
  ),
  match: field(
    SearchMatch.optional(),
    'Where the data has the text of `q`; absent without one, or if the id, key, type or address has it',
  ),
});
export type EventListItem = z.infer<typeof EventListItem>;

/** A state of deliveries to filter by. */
export const DeliveryStatusFilter = z.enum(DELIVERY_STATUS_FILTERS, {
  error: `must be one of ${DELIVERY_STATUS_FILTERS.join(', ')}`,
});

export const ListEventsQuery = PageQuery.extend({
  id: field(Id.optional(), 'Only the event with this id'),
  type: field(EventTypePattern.optional(), 'Only events of this type'),
  q: field(
    ContentSearch.optional(),
    'The id or Idempotency-Key of an event. If there is none: only events of this type, sent from this address, or whose data contains all its words. White space between the tokens of JSON does not matter: `"id": 42` finds `"id":42`. Texts over 64 characters and data over 8 KiB are not searched',
    'ord_8f2c1',
  ),
  apiKeyId: field(Id.optional(), 'Only events that were sent with this API key'),
  clientAddress: field(ClientAddress.optional(), 'Only events that were sent from this address', '203.0.113.7'),
  status: field(
    DeliveryStatusFilter.optional(),
    'Only events with a delivery in this state. `PENDING`: `QUEUED` or `RETRYING`. `UNDELIVERED`: `RETRYING` or `FAILED`',
  ),
  endpointId: field(Id.optional(), 'Only events with a delivery to this endpoint'),
  ...CREATED_WITHIN,
});
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

export const EventTypes = z.object({
  data: field(z.array(z.string()), 'Event types in alphabetical order, at most 200'),
});
export type EventTypes = z.infer<typeof EventTypes>;

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces');
