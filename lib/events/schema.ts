import * as z from 'zod';
import { CUSTOMER_FILTER, customerField, OF_CUSTOMER } from '@/lib/customers/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CREATED_WITHIN, CreatedAt, Time } from '@/lib/platform/instant';
import { ClientAddress, ContentSearch, PageQuery, SortedPageQuery } from '@/lib/platform/pagination';
import { Name, text } from '@/lib/platform/text';
import { DELIVERY_STATUS_FILTERS } from './delivery-state-policy';
import { EVENT_TYPE, TYPE_PATTERN } from './type-pattern-policy';

export const EventType = z
  .string()
  .regex(EVENT_TYPE, 'must be 1 to 128 letters, digits, dots, dashes or underscores, and not . or ..');

/** An exact type, `order.*` for all types below `order.`, or `*` for all types. */
export const EventTypePattern = z.string().regex(TYPE_PATTERN, 'must be an event type, a prefix such as order.*, or *');

const isJsonObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON object. Its content belongs to the sender and is not validated. */
export const EventData = z
  .custom<Record<string, unknown>>(isJsonObject, 'must be a JSON object')
  .meta({ type: 'object', additionalProperties: true, description: 'Any JSON object of at most 256 KiB' });

const EXAMPLE_DATA = { orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR' };

export const SendEventBody = z
  .strictObject({
    type: field(EventType, 'The event type, such as `order.paid`, which subscriptions match', 'order.paid'),
    data: field(EventData, 'The payload: any JSON object of at most 256 KiB', EXAMPLE_DATA),
    customer: customerField(
      'The id or uid of the customer that the event is for: it goes to endpoints of this customer, and to those of the project with `receivesCustomerEvents`',
    ),
  })
  // Without a customer: a reader may not have one yet.
  .meta({ examples: [{ type: 'order.paid', data: EXAMPLE_DATA }] });
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
  ...OF_CUSTOMER,
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
  customer: CUSTOMER_FILTER,
  ...CREATED_WITHIN,
});
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

/** Names that the paths of the catalogue take. */
const RESERVED_TYPES: readonly string[] = ['import', 'openapi.json'];

const TypeName = EventType.refine((name) => !RESERVED_TYPES.includes(name), 'is reserved');

export const MAX_SCHEMA_BYTES = 64 * 1024;
export const MAX_EXAMPLE_BYTES = 64 * 1024;
const MAX_DESCRIPTION_CHARS = 2_000;

/** JSON whose text is read from the body: its numbers are exact. */
const jsonObject = (description: string) =>
  z
    .custom<Record<string, unknown>>(isJsonObject, 'must be a JSON object')
    .meta({ type: 'object', additionalProperties: true, description });

const ORDER_SCHEMA = {
  type: 'object',
  properties: { orderId: { type: 'string' }, amount: { type: 'integer', minimum: 0 }, currency: { type: 'string' } },
  required: ['orderId', 'amount'],
};
const SCHEMA = 'The JSON Schema (2020-12) of `data`, at most 64 KiB';
const EXAMPLE = 'An example of `data`, at most 64 KiB, which satisfies the schema';

const TYPE_FIELDS = {
  description: field(text(MAX_DESCRIPTION_CHARS).nullish(), 'What it tells receivers', 'An order was paid in full.'),
  group: field(Name.nullish(), 'The group in which the catalogue shows it', 'Orders'),
  schema: field(jsonObject(SCHEMA).nullish(), SCHEMA, ORDER_SCHEMA),
  example: field(jsonObject(EXAMPLE).nullish(), EXAMPLE, EXAMPLE_DATA),
};

export const EventTypeState = z.enum(['ACTIVE', 'DEPRECATED']);
export type EventTypeState = z.infer<typeof EventTypeState>;
const STATE = '`DEPRECATED`: it is still sent, and receivers should use another one';

export const CreateEventTypeBody = z.strictObject({
  name: field(TypeName, 'The type of its events', 'order.paid'),
  status: field(EventTypeState.default('ACTIVE'), STATE, 'ACTIVE'),
  ...TYPE_FIELDS,
});
export type CreateEventTypeBody = z.infer<typeof CreateEventTypeBody>;

export const UpdateEventTypeBody = z.strictObject({
  status: field(EventTypeState.optional(), STATE, 'DEPRECATED'),
  ...TYPE_FIELDS,
});
export type UpdateEventTypeBody = z.infer<typeof UpdateEventTypeBody>;

/** Also a type that was sent and is not defined. */
export const EventTypeStatus = z.enum(['ACTIVE', 'DEPRECATED', 'SEEN']);
export type EventTypeStatus = z.infer<typeof EventTypeStatus>;

const STATUS = '`ACTIVE` or `DEPRECATED`; `SEEN`: it was sent, and is not defined';

/** What senders and receivers read of a type. */
export const EventTypeSummary = z.object({
  name: field(z.string(), 'The type of its events', 'order.paid'),
  description: field(z.string().nullable(), 'What it tells receivers', 'An order was paid in full.'),
  group: field(z.string().nullable(), 'The group in which the catalogue shows it', 'Orders'),
  status: field(EventTypeStatus, STATUS, 'ACTIVE'),
  schema: field(jsonObject(SCHEMA).nullable(), SCHEMA, ORDER_SCHEMA),
  example: field(jsonObject(EXAMPLE).nullable(), EXAMPLE, EXAMPLE_DATA),
});

export type EventTypeSummary = z.infer<typeof EventTypeSummary>;

/** A type of the catalogue. */
export const CatalogueType = EventTypeSummary.extend({
  mismatches: field(
    z.object({
      count: field(z.int(), 'Events that differed from the schema since it was last changed', 0),
      lastAt: field(Time.nullable(), 'When the newest of them was sent; null for none', null),
    }),
    'Events that were stored with `eventTypePolicy` `REPORT` although they differ',
  ),
  lastSeenAt: field(Time.nullable(), 'When the newest stored event of this type was sent; null for none'),
  createdAt: field(Time.nullable(), 'When it was defined; null for `SEEN`'),
  updatedAt: field(Time.nullable(), 'When its definition was last changed; null for `SEEN`'),
});
export type CatalogueType = z.infer<typeof CatalogueType>;

export const ListEventTypesQuery = SortedPageQuery.extend({
  status: field(EventTypeStatus.optional(), `Only those in this state. ${STATUS}`),
  group: field(text(100).optional(), 'Only those of this group', 'Orders'),
  q: field(text(200).optional(), 'Only those whose name or description has this text, in upper or lower case', 'paid'),
});
export type ListEventTypesQuery = z.infer<typeof ListEventTypesQuery>;

export const ImportEventTypesBody = z.strictObject({
  document: field(
    jsonObject('An OpenAPI 3.1 document with `webhooks`'),
    'An OpenAPI 3.1 document, whose `webhooks` become event types. The schema of the body is that of `data`, or that of the `data` of an envelope as this service exports it',
    {
      openapi: '3.1.0',
      webhooks: {
        'order.paid': { post: { requestBody: { content: { 'application/json': { schema: ORDER_SCHEMA } } } } },
      },
    },
  ),
  dryRun: field(z.boolean().default(false), 'Whether to say what would be done, and do nothing', true),
});
export type ImportEventTypesBody = z.infer<typeof ImportEventTypesBody>;

const NAMES = z.array(z.string());

export const EventTypeImport = z.object({
  dryRun: field(z.boolean(), 'Whether nothing was changed'),
  created: field(NAMES, 'Types that are new', ['order.paid']),
  updated: field(NAMES, 'Types that differ from what was defined', []),
  unchanged: field(NAMES, 'Types that are as they were', []),
  breaking: field(
    z.array(
      z.object({
        name: field(z.string(), 'The type', 'order.paid'),
        path: field(z.string(), 'Where in its events', 'data.items[].sku'),
        message: field(z.string(), 'What changes there', 'is removed'),
      }),
    ),
    'What breaks who receives these events: fields that are removed, have another type, are newly required, or are no longer always there; at most 200',
    [],
  ),
});
export type EventTypeImport = z.infer<typeof EventTypeImport>;

export const ExportEventTypesQuery = z.strictObject({
  group: field(text(100).optional(), 'Only the types of this group', 'Orders'),
});
export type ExportEventTypesQuery = z.infer<typeof ExportEventTypesQuery>;

const NamedObjects = z.record(z.string(), z.unknown());

/** An OpenAPI document of the webhooks of a project. */
export const EventTypeDocument = z.object({
  openapi: field(z.string(), 'The OpenAPI version', '3.1.1'),
  info: field(
    z.object({
      title: field(z.string(), 'Whose webhooks they are', 'Webhooks of Web shop'),
      version: field(z.string(), 'The day of the last change', '2026-01-31'),
    }),
    'What the document is about',
  ),
  webhooks: field(NamedObjects, 'A webhook for each type', {}),
  components: field(
    z.object({ schemas: field(NamedObjects, 'The schemas of `data` by type', {}) }).optional(),
    'What the webhooks refer to; absent without schemas',
  ),
});
export type EventTypeDocument = z.infer<typeof EventTypeDocument>;

export const InferredSchema = z.object({
  schema: field(
    jsonObject('A JSON Schema').nullable(),
    'A schema that what was read of the events satisfies; null without events',
    ORDER_SCHEMA,
  ),
  eventCount: field(z.int(), 'Number of events it was made from, at most the newest 100', 100),
});
export type InferredSchema = z.infer<typeof InferredSchema>;

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces');
