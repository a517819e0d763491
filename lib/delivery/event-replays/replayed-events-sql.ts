import { patternsOf, subscribed } from '@/lib/delivery/engine/outbox/outbox-sql';
import type { DeliveryStatus, EventReplaySelect } from '@/lib/delivery/schema';
import { eventScan } from '@/lib/events/events-sql';
import { splitPattern } from '@/lib/events/type-pattern-policy';
import { newId } from '@/lib/platform/ids';
import { type Condition, type IndexPrefix, type Scan, statementsOf } from '@/lib/platform/sql/bounded-scan';
import {
  bigint,
  boolean,
  enumOf,
  integer,
  knownToBeSet,
  nullable,
  text,
  texts,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** The one endpoint of a replay. */
export interface ReplayedEndpoint {
  id: string;
  enabled: boolean;
  isDeleted: boolean;
  customerId: string | null;
  receivesCustomerEvents: boolean;
  /** The types and patterns that it is subscribed to; null when they are more than are compared. */
  patterns: string[] | null;
}

/** Which events a replay looks at, and for which deliveries. */
export interface ReplayScope {
  projectId: string;
  select: EventReplaySelect;
  from: Date;
  to: Date;
  endpoint: ReplayedEndpoint | null;
  customerId: string | null;
  eventType: string | null;
  /** Deliveries that ended later are not what its creator saw. */
  at: Date;
}

/** With more, the patterns of each event are looked up among them: to compare each with each event would take seconds. */
export const MAX_COMPARED = 20;
/** More types are looked for among all events of the project. */
const MAX_INDEXES = 10;

/** Finds the endpoint with its patterns, of which one more than are compared shows that there are too many. */
export const findReplayedEndpoint = statement(
  `SELECT t.enabled, t.deleted_at IS NOT NULL AS is_deleted, t.customer_id, t.receives_customer_events,
          ARRAY(SELECT s.event_type FROM subscriptions s WHERE s.endpoint_id = t.id AND s.enabled
                LIMIT ${MAX_COMPARED + 1}) AS patterns
   FROM endpoints t WHERE t.project_id = $project AND t.id = $endpoint`,
  {
    params: { project: uuid, endpoint: uuid },
    columns: {
      enabled: boolean,
      is_deleted: boolean,
      customer_id: nullable(uuid),
      receives_customer_events: boolean,
      patterns: texts,
    },
  },
);

/** Events that a statement looks at then: a type of many levels has many patterns, and takes a tenth of a millisecond. */
const MAX_LOOKED_UP = 1_000;

/** Whether an endpoint is subscribed to the type of an event. IS TRUE: a join would look up each pattern of each event in an index. */
const IS_SUBSCRIBED = `EXISTS (SELECT FROM ${patternsOf('x')}
  WHERE (pattern IN (SELECT event_type FROM subscriptions WHERE endpoint_id = ? AND enabled)) IS TRUE)`;

/**
 * Returns the scan of the events that a replay looks at, from the oldest. What is missing at one endpoint is of the types that it is
 * subscribed to, and of its customer.
 */
export function replayedEventScan({ projectId, select, from, to, endpoint, customerId, eventType }: ReplayScope): Scan {
  const customer = customerId ?? endpoint?.customerId ?? undefined;
  const scan = eventScan(projectId, { type: eventType ?? undefined, customer, from, to });
  if (endpoint === null || select !== 'MISSING') return { ...scan, isAscending: true };
  const split = (endpoint.patterns ?? []).map(splitPattern);
  const exact = split.flatMap((pattern) => pattern.exact ?? []);
  const prefixes = split.flatMap((pattern) => pattern.prefix ?? []);
  const isEvery = split.some((pattern) => pattern.exact === null && pattern.prefix === null);
  const conditions: (Condition | false)[] = [
    ...scan.conditions,
    endpoint.patterns === null
      ? [IS_SUBSCRIBED, endpoint.id]
      : !isEvery && [
          'x.type = ANY(?::text[]) OR EXISTS (SELECT FROM unnest(?::text[]) p WHERE starts_with(x.type, p))',
          exact,
          prefixes,
        ],
    endpoint.customerId === null && !endpoint.receivesCustomerEvents && ['x.customer_id IS NULL'],
  ];
  const isByType =
    customer === undefined &&
    eventType === null &&
    exact.length === split.length &&
    exact.length > 0 &&
    exact.length <= MAX_INDEXES;
  const byType = exact.map(
    (type): IndexPrefix => [
      ['x.project_id', projectId],
      ['x.type', type],
    ],
  );
  return {
    ...scan,
    ...(isByType ? { indexes: byType } : {}),
    ...(endpoint.patterns === null ? { maxExamined: MAX_LOOKED_UP } : {}),
    conditions: conditions.filter((condition) => condition !== false),
    isAscending: true,
  };
}

/** What a replay reads of each event: its size, before its content. */
export const SIZED_EVENTS = {
  sql: 'SELECT f.id, octet_length(e.payload) AS bytes FROM found f JOIN events e ON e.id = f.id',
  columns: { id: uuid, bytes: integer },
};

/** Selects those of the events whose deliveries are not all stored, as a fan-out may be sending them. */
export const selectUnfinished = statement(
  `SELECT event_id FROM outbox WHERE event_id = ANY($events::uuid[]) AND status = 'PENDING'`,
  { params: { events: uuids }, columns: { event_id: knownToBeSet(uuid) } },
);

const PAIR = {
  event_id: knownToBeSet(uuid),
  endpoint_id: knownToBeSet(uuid),
  customer_id: nullable(uuid),
  is_filtered: boolean,
};
const AFTER = { events: uuids, afterEvent: uuid, afterEndpoint: uuid, most: bigint };

/**
 * The chosen events in order, each with what is found for it. The rows of one event are sorted after those of another, so that a LIMIT
 * ends it: all events and endpoints together are hundreds of times as many.
 */
const ofEach = (columns: string, found: string, most: string) => `
  FROM (SELECT e.* FROM unnest($events::uuid[]) AS chosen(id)
        CROSS JOIN LATERAL (SELECT ${columns} FROM events WHERE id = chosen.id OFFSET 0) e ORDER BY e.id OFFSET 0) e
  CROSS JOIN LATERAL (${found} OFFSET 0) t
  WHERE (e.id, t.endpoint_id) > ($afterEvent, $afterEndpoint)
  ORDER BY e.id, t.endpoint_id LIMIT ${most}`;

const matching = (condition: string) => `
  SELECT e.id AS event_id, t.endpoint_id, t.customer_id, t.is_filtered, t.is_chosen
  ${ofEach(
    'id, project_id, type, customer_id',
    `SELECT s.endpoint_id, t.customer_id, t.filter IS NOT NULL AS is_filtered, t.id IS NOT NULL AS is_chosen
     FROM ${subscribed('e', `AND (e.id, endpoint_id) > ($afterEvent, $afterEndpoint) ${condition}`)}`,
    '$most',
  )}`;

/**
 * Selects the endpoints that are subscribed to events, as the fan-out does, with whether their filter decides; `customer`: those of a
 * customer alone. Those that get nothing, as they are disabled, are not chosen: they count, since an event may have a thousand.
 */
export const selectMatching = statement(matching('AND ($customer::uuid IS NULL OR customer_id = $customer)'), {
  params: { ...AFTER, customer: nullable(uuid) },
  columns: { ...PAIR, is_chosen: knownToBeSet(boolean) },
});

/** The same for one endpoint. */
export const selectMatchingOfEndpoint = statement(matching('AND endpoint_id = $endpoint'), {
  params: { ...AFTER, endpoint: uuid },
  columns: { ...PAIR, is_chosen: knownToBeSet(boolean) },
});

/** Deliveries of events that one statement looks at. */
export const MAX_EXAMINED_DELIVERIES = 10_000;

/**
 * Selects the endpoints that events have ended deliveries to, and the last delivery that it has looked at even if that is not chosen.
 * `nth` counts what it has looked at.
 */
export const selectEnded = statement(
  `SELECT event_id, endpoint_id, customer_id, false AS is_filtered, is_chosen, nth
   FROM (SELECT *, (row_number() OVER (ORDER BY event_id, endpoint_id))::int AS nth, count(*) OVER () AS examined,
                status = ANY($statuses::text[]::"DeliveryStatus"[]) AND ($customer::uuid IS NULL OR customer_id = $customer) AS is_chosen
         FROM (SELECT e.id AS event_id, t.endpoint_id, t.customer_id, t.status
               ${ofEach(
                 'id',
                 'SELECT endpoint_id, customer_id, status FROM deliveries WHERE event_id = e.id AND endpoint_id IS NOT NULL',
                 `${MAX_EXAMINED_DELIVERIES}`,
               )}) looked_at) counted
   WHERE is_chosen OR nth = examined ORDER BY event_id, endpoint_id LIMIT $most`,
  {
    params: { ...AFTER, statuses: texts, customer: nullable(uuid) },
    columns: { ...PAIR, is_chosen: nullable(boolean), nth: knownToBeSet(integer) },
  },
);

/** Selects which deliveries exist, and when they ended. */
export const selectStates = statement(
  `SELECT id, status, completed_at FROM deliveries WHERE project_id = $project AND id = ANY($deliveries::uuid[])`,
  {
    params: { project: uuid, deliveries: uuids },
    columns: { id: uuid, status: enumOf<DeliveryStatus>('DeliveryStatus'), completed_at: nullable(timestamp) },
  },
);

/** Selects the filters of endpoints that have one. */
export const selectFilters = statement(
  `SELECT id, filter FROM endpoints WHERE project_id = $project AND id = ANY($endpoints::uuid[]) AND filter IS NOT NULL`,
  { params: { project: uuid, endpoints: uuids }, columns: { id: uuid, filter: knownToBeSet(text) } },
);

/** Selects what filters read of events. */
export const selectFiltered = statement(
  'SELECT id, type, payload FROM events WHERE project_id = $project AND id = ANY($events::uuid[])',
  { params: { project: uuid, events: uuids }, columns: { id: uuid, type: text, payload: text } },
);

const ID = newId();
const ENDPOINT = { id: ID, enabled: true, isDeleted: false, customerId: null, receivesCustomerEvents: false };
const CHECKED: Pick<ReplayScope, 'endpoint' | 'customerId' | 'eventType'>[] = [
  { endpoint: null, customerId: null, eventType: 'a' },
  { endpoint: null, customerId: ID, eventType: null },
  { endpoint: { ...ENDPOINT, patterns: ['a', 'b'] }, customerId: null, eventType: null },
  { endpoint: { ...ENDPOINT, patterns: ['a.*'] }, customerId: null, eventType: null },
  { endpoint: { ...ENDPOINT, patterns: null }, customerId: null, eventType: null },
];
/** Checked against the database by a test. */
export const CHECKED_STATEMENTS = CHECKED.flatMap((scope) =>
  statementsOf(
    replayedEventScan({
      projectId: ID,
      select: 'MISSING',
      from: new Date(0),
      to: new Date(0),
      at: new Date(0),
      ...scope,
    }),
    SIZED_EVENTS,
  ),
);
