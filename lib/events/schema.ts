import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';

export const EventType = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');

/** An exact type, `order.*` for all types below `order.`, or `*` for all types. */
export const EventTypePattern = z.union(
  [EventType, z.literal('*'), z.string().regex(/^[A-Za-z0-9_.-]{1,125}\.\*$/)],
  'must be an event type, a prefix such as order.*, or *',
);

const isJsonObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON object. Its content belongs to the sender and is not validated. */
export const EventData = z
  .custom<Record<string, unknown>>(isJsonObject, 'must be a JSON object')
  .meta({ type: 'object', description: 'Any JSON object of at most 256 KiB' });

export const SendEventBody = z.strictObject({ type: EventType, data: EventData });
export type SendEventBody = z.infer<typeof SendEventBody>;

export const EventSummary = z.object({ id: Id, type: z.string(), createdAt: z.string() });
export type EventSummary = z.infer<typeof EventSummary>;

/** An event with the counts of its deliveries, so that a list shows its outcome. */
export const EventListItem = EventSummary.extend({
  deliveries: z.object({ pending: z.int(), succeeded: z.int(), failed: z.int() }),
});
export type EventListItem = z.infer<typeof EventListItem>;

export const ListEventsQuery = PageQuery.extend({
  type: EventTypePattern.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

export const EventTypes = z.object({
  data: z.array(z.string()).meta({ description: 'In alphabetical order, at most 200' }),
});
export type EventTypes = z.infer<typeof EventTypes>;

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces');
