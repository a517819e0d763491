import { idRange, newId } from '@/lib/platform/ids';
import type { Page } from '@/lib/platform/pagination';
import {
  anyOf,
  type Condition,
  contains,
  type Details,
  type IndexPrefix,
  inProject,
  MAX_SEARCHED,
  MAX_SEARCHED_BYTES,
  type Scan,
  sentFrom,
  statementsOf,
} from '@/lib/platform/sql/bounded-scan';
import { boolean, bytes, enumOf, integer, nullable, text, timestamp, uuid, uuids } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { storedStatusesOf } from './delivery-state-policy';
import type { ListEventsQuery } from './schema';
import { splitPattern } from './type-pattern-policy';

const LISTED = {
  id: uuid,
  type: text,
  idempotency_key: nullable(text),
  api_key_id: nullable(uuid),
  client_address: nullable(text),
  customer_id: nullable(uuid),
  customer_uid: nullable(text),
  created_at: timestamp,
  /** Null once the deliveries are stored. */
  outbox_status: nullable(enumOf<'PENDING' | 'DEAD'>('OutboxStatus')),
  queued: integer,
  retrying: integer,
  succeeded: integer,
  failed: integer,
};

/** What lists show of events, with the counts of their deliveries. */
export const EVENT_ROWS: Details<typeof LISTED> = {
  sql: `
   SELECT e.id, e.type, e.idempotency_key, e.api_key_id, e.client_address, e.created_at, e.customer_id, c.uid AS customer_uid, d.queued, d.retrying, d.succeeded, d.failed,
     (SELECT o.status FROM outbox o WHERE o.event_id = e.id LIMIT 1) AS outbox_status
   FROM found e
   LEFT JOIN customers c ON c.id = e.customer_id
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE status = 'PENDING' AND attempt_count = 0)::int AS queued,
            count(*) FILTER (WHERE status = 'PENDING' AND attempt_count > 0)::int AS retrying,
            count(*) FILTER (WHERE status = 'SUCCEEDED')::int AS succeeded,
            count(*) FILTER (WHERE status = 'FAILED')::int AS failed
     FROM deliveries WHERE event_id = e.id
   ) d`,
  columns: LISTED,
};

/** Finds the event with an Idempotency-Key. `bodyHash` is that of the body that repeats the key. */
export const findFirstEvent = statement(
  `SELECT id, type, created_at, body_hash = $bodyHash AS same_body, customer_id IS NOT DISTINCT FROM $customer::uuid AS same_customer FROM events
   WHERE project_id = $project AND idempotency_key = $idempotencyKey`,
  {
    params: { bodyHash: nullable(bytes), customer: nullable(uuid), project: uuid, idempotencyKey: nullable(text) },
    columns: {
      id: uuid,
      type: text,
      created_at: timestamp,
      same_body: nullable(boolean),
      same_customer: nullable(boolean),
    },
  },
);
export type FirstEvent = RowOf<typeof findFirstEvent.columns>;

export const findPayload = statement('SELECT payload FROM events WHERE project_id = $project AND id = $event', {
  params: { project: uuid, event: uuid },
  columns: { payload: text },
});

/** Selects the data of some events, as far as a search looks at it. */
export const selectSearched = statement(
  `SELECT id, payload FROM events WHERE id = ANY($events::uuid[]) AND octet_length(payload) <= ${MAX_SEARCHED_BYTES}`,
  { params: { events: uuids }, columns: { id: uuid, payload: text } },
);

/** What events are selected by. A customer is the id of one (resolveCustomer). */
export type EventsFilter = Omit<ListEventsQuery, keyof Page>;

/** Finds the event with an id or Idempotency-Key. */
export const findEventByName = statement(
  `SELECT id FROM events WHERE project_id = $project AND id = $event
   UNION ALL SELECT id FROM events WHERE project_id = $project AND idempotency_key = $idempotencyKey LIMIT 1`,
  { params: { project: uuid, event: nullable(uuid), idempotencyKey: text }, columns: { id: uuid } },
);

const COLUMNS = [
  'x.id',
  'x.project_id',
  'x.type',
  'x.idempotency_key',
  'x.api_key_id',
  'x.client_address',
  'x.customer_id',
  'x.created_at',
];

/** Returns the scan of the events of a project that match. */
export function eventScan(projectId: string, filter: EventsFilter): Scan {
  const { id, type, status, endpointId, customer } = filter;
  const conditions = conditionsOf(projectId, filter);
  if (status !== undefined || endpointId !== undefined) return byDelivery(projectId, filter, conditions);
  const { exact } = splitPattern(type ?? '*');
  const ofProject: IndexPrefix = [['x.project_id', projectId]];
  const index: IndexPrefix =
    id !== undefined
      ? [['x.id', id]]
      : customer !== undefined
        ? [['x.customer_id', customer]]
        : exact !== null
          ? [...ofProject, ['x.type', exact]]
          : ofProject;
  return {
    from: 'events x',
    columns: filter.q === undefined ? COLUMNS : [...COLUMNS, 'x.payload'],
    indexes: [index],
    ...idRange(filter),
    conditions,
    maxExamined: filter.q === undefined ? undefined : MAX_SEARCHED,
  };
}

/** Starts from the deliveries: few may have failed, and an event may have a thousand. */
function byDelivery(projectId: string, filter: EventsFilter, ofEvent: readonly Condition[]): Scan {
  const { id, endpointId } = filter;
  const { statuses, hasAttempts } = storedStatusesOf(filter.status);
  const unsucceeded = statuses === null || statuses.includes('SUCCEEDED') ? null : statuses;
  const ofProject: IndexPrefix = [['x.project_id', projectId]];
  const indexes: IndexPrefix[] =
    id !== undefined
      ? [[['x.event_id', id]]]
      : unsucceeded !== null
        ? unsucceeded.map((status) => [...ofProject, ['x.status', status]])
        : endpointId !== undefined
          ? [[['x.endpoint_id', endpointId]]]
          : [ofProject];
  const conditions: (Condition | false)[] = [
    ['x.project_id = ?', projectId],
    statuses !== null && ['x.status = ANY(?)', statuses],
    hasAttempts !== null && [`(x.status <> 'PENDING' OR (x.attempt_count > 0) = ?)`, hasAttempts],
    endpointId !== undefined && ['x.endpoint_id = ?', endpointId],
  ];
  return {
    from: 'deliveries x',
    columns: ['x.project_id', 'x.event_id', 'x.endpoint_id', 'x.status', 'x.attempt_count'],
    indexes,
    ...(unsucceeded !== null && id === undefined ? { only: `x.status <> 'SUCCEEDED'` } : {}),
    ...idRange(filter),
    conditions: conditions.filter((condition) => condition !== false),
    requires: [
      ...(id === undefined ? [] : [inProject('events', id, projectId)]),
      ...(endpointId === undefined ? [] : [inProject('endpoints', endpointId, projectId)]),
    ],
    maxExamined: filter.q === undefined ? undefined : MAX_SEARCHED,
    byTime: { key: 'x.id', id: 'x.event_id', table: 'events', conditions: ofEvent },
  };
}

function conditionsOf(
  projectId: string,
  { id, type, q, apiKeyId, clientAddress, customer, from, to }: EventsFilter,
): Condition[] {
  const { exact, prefix } = splitPattern(type ?? '*');
  const conditions: (Condition | false)[] = [
    ['x.project_id = ?', projectId],
    id !== undefined && ['x.id = ?', id],
    exact !== null && ['x.type = ?', exact],
    prefix !== null && ['starts_with(x.type, ?)', prefix],
    apiKeyId !== undefined && ['x.api_key_id = ?', apiKeyId],
    clientAddress !== undefined && ['x.client_address = ?', clientAddress],
    customer !== undefined && ['x.customer_id = ?', customer],
    q !== undefined && anyOf(['x.type = ?', q], ...sentFrom(q), contains('x.payload', 'text', q)),
    from !== undefined && ['x.created_at >= ?', from],
    to !== undefined && ['x.created_at <= ?', to],
  ];
  return conditions.filter((condition) => condition !== false);
}

/** Data that is read to try a filter, at most. The newest four events have it in any case. */
const MAX_TRIED_BYTES = 1024 * 1024;

/** What filters read of the newest events: those before the limit of bytes. */
export const TRIED_EVENTS = {
  sql: `
   SELECT e.id, e.type, e.created_at, e.payload
   FROM (SELECT f.*, sum(octet_length(f.payload)) OVER (ORDER BY f.id DESC) AS bytes FROM found f) e
   WHERE e.bytes <= ${MAX_TRIED_BYTES}`,
  columns: { id: uuid, type: text, created_at: timestamp, payload: text },
};

/** More types are looked for among all events of the project. */
const MAX_INDEXES = 10;

/** Returns the scan of the newest events of a project whose type matches one of some patterns. @param patterns empty for all events */
export function scanOfTypes(projectId: string, patterns: readonly string[], limit: number): Scan {
  const split = patterns.map(splitPattern);
  const exact = split.flatMap((pattern) => pattern.exact ?? []);
  const prefixes = split.flatMap((pattern) => pattern.prefix ?? []);
  const isEvery = split.length !== exact.length + prefixes.length || split.length === 0;
  const ofProject: IndexPrefix = [['x.project_id', projectId]];
  const isByType = !isEvery && prefixes.length === 0 && exact.length <= MAX_INDEXES;
  const ofTypes: Condition = [
    'x.type = ANY(?::text[]) OR EXISTS (SELECT FROM unnest(?::text[]) p WHERE starts_with(x.type, p))',
    exact,
    prefixes,
  ];
  return {
    from: 'events x',
    columns: ['x.id', 'x.project_id', 'x.type', 'x.created_at', 'x.payload'],
    indexes: isByType ? [...new Set(exact)].map((type) => [...ofProject, ['x.type', type]]) : [ofProject],
    conditions: [['x.project_id = ?', projectId], ...(isEvery ? [] : [ofTypes])],
    // Each row of these indexes matches. One more tells that there are others.
    maxExamined: isEvery || isByType ? limit + 1 : undefined,
  };
}

const ID = newId();
const ADDRESS = '203.0.113.7';
const EVERY: EventsFilter = {
  id: ID,
  type: 'a.*',
  q: ADDRESS,
  apiKeyId: ID,
  clientAddress: ADDRESS,
  from: new Date(0),
  to: new Date(0),
};
const CHECKED: EventsFilter[] = [
  {},
  { type: 'a' },
  EVERY,
  { status: 'SUCCEEDED' as const },
  { status: 'QUEUED' as const, endpointId: ID },
  { endpointId: ID },
  { customer: ID },
  { ...EVERY, endpointId: ID },
  { q: '"a": 1 b' },
];
export const CHECKED_STATEMENTS = [
  ...CHECKED.flatMap((filter) => statementsOf(eventScan(ID, filter), EVENT_ROWS)),
  ...[[], ['a'], ['a', 'b', 'c.*']].flatMap((patterns) => statementsOf(scanOfTypes(ID, patterns, 1), TRIED_EVENTS)),
];
