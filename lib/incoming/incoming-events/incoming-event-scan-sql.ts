import { splitPattern } from '@/lib/events/type-pattern-policy';
import type { ListIncomingEventsQuery } from '@/lib/incoming/schema';
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
import { bigint, boolean, bytes, integer, nullable, text, timestamp, uuid, uuids } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** What incoming events are selected by. */
export type IncomingEventsFilter = Omit<ListIncomingEventsQuery, keyof Page>;

const LISTED = {
  id: uuid,
  sourceId: uuid,
  verified: nullable(boolean),
  method: text,
  contentType: nullable(text),
  eventType: nullable(text),
  query: nullable(text),
  size: integer,
  clientAddress: nullable(text),
  createdAt: timestamp,
};

/** What lists show of incoming events. */
export const INCOMING_EVENT_ROWS: Details<typeof LISTED> = {
  sql: `SELECT id, source_id AS "sourceId", verified, method, query, content_type AS "contentType",
      event_type AS "eventType", size, client_address AS "clientAddress", created_at AS "createdAt"
    FROM found`,
  columns: LISTED,
};

const COLUMNS = [
  'x.id',
  'x.project_id',
  'x.source_id',
  'x.verified',
  'x.method',
  'x.query',
  'x.content_type',
  'x.event_type',
  'x.size',
  'x.client_address',
  'x.created_at',
];
const VERIFIED = { true: 'IS TRUE', false: 'IS FALSE', none: 'IS NULL' } as const;

/** Finds the incoming event with an id, or the newest that a provider gave an id. */
export const findIncomingEventByName = statement(
  `(SELECT id FROM incoming_events WHERE project_id = $project AND id = $incomingEvent)
   UNION ALL (
     SELECT i.id FROM sources s JOIN incoming_events i ON i.source_id = s.id AND i.provider_event_id = $providerEventId
     WHERE s.project_id = $project AND i.verified IS NOT FALSE ORDER BY i.id DESC LIMIT 1) LIMIT 1`,
  { params: { project: uuid, incomingEvent: nullable(uuid), providerEventId: text }, columns: { id: uuid } },
);

/**
 * Selects the types of the incoming events of a project, in order. Reads one index entry per type, however many events have it.
 */
export const selectIncomingEventTypes = statement(
  `WITH RECURSIVE seen AS (
     (SELECT event_type FROM incoming_events WHERE project_id = $project AND event_type IS NOT NULL
      ORDER BY event_type LIMIT 1)
     UNION ALL
     SELECT (SELECT event_type FROM incoming_events WHERE project_id = $project AND event_type > seen.event_type
             ORDER BY event_type LIMIT 1)
     FROM seen WHERE seen.event_type IS NOT NULL
   )
   SELECT event_type AS type FROM seen WHERE event_type IS NOT NULL LIMIT $limit`,
  { params: { project: uuid, limit: bigint }, columns: { type: text } },
);

/** Selects the bodies of some incoming events, as far as a search looks at them. */
export const selectSearched = statement(
  `SELECT id, body FROM incoming_events WHERE id = ANY($incomingEvents::uuid[]) AND octet_length(body) <= ${MAX_SEARCHED_BYTES}`,
  { params: { incomingEvents: uuids }, columns: { id: uuid, body: bytes } },
);

/** Returns the scan of the incoming events of a project that match. */
export function incomingEventScan(projectId: string, filter: IncomingEventsFilter): Scan {
  const { id, q, sourceId, eventType, clientAddress, verified } = filter;
  const { exact, prefix } = splitPattern(eventType ?? '*');
  const conditions: (Condition | false)[] = [
    id !== undefined && ['x.id = ?', id],
    exact !== null && ['x.event_type = ?', exact],
    prefix !== null && ['starts_with(x.event_type, ?)', prefix],
    verified !== undefined && [`x.verified ${VERIFIED[verified]}`],
    clientAddress !== undefined && ['x.client_address = ?', clientAddress],
    q !== undefined && anyOf(...sentFrom(q), contains('x.body', 'bytea', q)),
  ];
  const scan = scanOf(projectId, sourceId, filter, conditions);
  return {
    ...scan,
    ...indexesOf(projectId, filter),
    ...(q === undefined ? {} : { columns: [...COLUMNS, 'x.body'], maxExamined: MAX_SEARCHED }),
  };
}

/** A source has few types, and a project may have many sources: where both are given, the type is the index. */
function indexesOf(projectId: string, { id, eventType }: IncomingEventsFilter): Partial<Scan> {
  if (id !== undefined) return { indexes: [[['x.id', id]]] };
  const { exact } = splitPattern(eventType ?? '*');
  if (exact === null) return {};
  const ofType: IndexPrefix = [
    ['x.project_id', projectId],
    ['x.event_type', exact],
  ];
  return { indexes: [ofType], only: 'x.event_type IS NOT NULL' };
}

/** Returns the scan of what a replay forwards again, from the oldest: all that was not refused. */
export function replayScan({ projectId, sourceId, ...period }: ReplayScope): Scan {
  return { ...scanOf(projectId, sourceId, period, [['x.verified IS NOT FALSE']]), isAscending: true };
}

interface ReplayScope {
  projectId: string;
  sourceId: string;
  from: Date | undefined;
  to: Date;
}

function scanOf(
  projectId: string,
  sourceId: string | undefined,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  others: readonly (Condition | false)[],
): Scan {
  const conditions: (Condition | false)[] = [
    ['x.project_id = ?', projectId],
    sourceId !== undefined && ['x.source_id = ?', sourceId],
    from !== undefined && ['x.created_at >= ?', from],
    to !== undefined && ['x.created_at <= ?', to],
    ...others,
  ];
  return {
    from: 'incoming_events x',
    columns: COLUMNS,
    indexes: [[sourceId === undefined ? ['x.project_id', projectId] : ['x.source_id', sourceId]]],
    ...idRange({ from, to }),
    requires: sourceId === undefined ? [] : [inProject('sources', sourceId, projectId)],
    conditions: conditions.filter((condition) => condition !== false),
  };
}

const ID = newId();
const EVERY = {
  q: '::1',
  clientAddress: '::1',
  sourceId: ID,
  eventType: 'a',
  verified: 'true' as const,
  from: new Date(0),
  to: new Date(0),
};
export const CHECKED_STATEMENTS = [
  ...[{}, { id: ID }, { eventType: 'a' }, EVERY, { ...EVERY, id: ID }, { q: '"a": 1 b' }].map((filter) =>
    incomingEventScan(ID, filter),
  ),
  replayScan({ projectId: ID, sourceId: ID, from: new Date(0), to: new Date(0) }),
].flatMap((scan) => statementsOf(scan, INCOMING_EVENT_ROWS));
