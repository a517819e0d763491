import { searchTargets, TARGET_SEARCH } from '@/lib/delivery/targets-sql';
import { RESPONSE_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import { byIndex } from '@/lib/platform/sql/bounded-scan';
import {
  type Column,
  float,
  integer,
  jsonOf,
  nullable,
  text,
  texts,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { type Columns, statement } from '@/lib/platform/sql/statement';
import { bucketSums, FAILED } from './stats-sql';
import { BUCKET_BOUNDS_MS } from './sum-stats';

/** The state of an endpoint, as the filter names it. */
const STATE = `CASE WHEN enabled THEN CASE WHEN failing_since IS NULL THEN 'ENABLED' ELSE 'FAILING' END
  WHEN disabled_reason IS NULL THEN 'PAUSED' ELSE 'DISABLED' END AS state`;

/** The endpoints of a project, or of a customer, that match the filters. */
const MATCHING = `SELECT id, url, description FROM (${searchTargets('endpoints', [STATE], true)}) found
  WHERE $state::text IS NULL OR state = $state OR ($state = 'UNSUBSCRIBED' AND state IN ('ENABLED', 'FAILING')
    AND NOT EXISTS (SELECT FROM subscriptions WHERE endpoint_id = found.id AND project_id = $project AND enabled))`;
const FILTERS = { ...TARGET_SEARCH, customer: nullable(uuid), state: nullable(text) };

/** Returns a statement that selects the matching endpoints, each with what they are ordered by. */
function rank<T, In, P extends Columns>(key: string, column: Column<T, In>, joined = '', params = {} as P) {
  return statement(`WITH matching AS MATERIALIZED (${MATCHING}) SELECT m.id, ${key} AS key FROM matching m ${joined}`, {
    params: { ...FILTERS, ...params },
    columns: { id: uuid, key: nullable(column) },
  });
}

/** The newest delivery of an endpoint. Ordered by both columns of its index, so that no other one serves it. */
const newestDelivery = (endpoint: string) => `LEFT JOIN LATERAL (
  SELECT created_at FROM deliveries
  WHERE ${byIndex('endpoint_id', endpoint)} AND project_id = $project
  ORDER BY deliveries.endpoint_id DESC, id DESC LIMIT 1) d ON true`;

/** The hours of an endpoint from a time on, as one row. */
const inHours = (key: string) => `CROSS JOIN LATERAL (
  SELECT ${key} AS key FROM stats
  WHERE project_id = $project AND period = 'HOUR' AND subject_id = m.id AND starts_at >= $from) s`;

export const rankById = rank('NULL::text', text);
export const rankByHost = rank(`lower(substring(m.url FROM '^[A-Za-z]+://([^/?#]*)'))`, text);
/** The start is enough for people, and keeps cursors short. */
export const rankByDescription = rank('lower(left(m.description, 100))', text);
export const rankByLastDelivery = rank('d.created_at', timestamp, newestDelivery('m.id'));

/** The share of attempts that succeeded. */
export const rankBySuccess = rank(
  's.key',
  float,
  inHours(`sum(succeeded)::float8 / nullif(sum(succeeded + ${FAILED}), 0)`),
  {
    from: timestamp,
  },
);

/** The buckets of durations that attempts can have, and one more. */
const BUCKETS = BUCKET_BOUNDS_MS.findIndex((bound) => bound > RESPONSE_TIMEOUT_MS) + 2;

/** The histogram of durations, added element by element; null without attempts. As JSON: the driver takes ten times as long to parse an array. */
const DURATIONS = `CASE WHEN max(cardinality(durations)) > 0 THEN to_json(${bucketSums('durations', BUCKETS)}) END`;
export const rankByDuration = rank('s.key', jsonOf<number[]>('json'), inHours(DURATIONS), { from: timestamp });

/** The enabled subscriptions of an endpoint. */
const SUBSCRIPTIONS = 'FROM subscriptions WHERE endpoint_id = t.id AND project_id = $project AND enabled';

/**
 * Selects what a list shows of endpoints of a project besides their rows: up to `types` of their event types, the number of these up to
 * `counted`, and their last delivery. An endpoint may have thousands of subscriptions: the first ones are read in the order of their
 * index, and others are counted only if there are others.
 */
export const selectListDetails = statement(
  `SELECT t.id, s.event_types, d.created_at AS last_delivery_at,
          CASE WHEN cardinality(s.event_types) < $types::int THEN cardinality(s.event_types)
          ELSE (SELECT count(*)::int FROM (SELECT ${SUBSCRIPTIONS} LIMIT $counted::int) c) END AS event_type_count
   FROM unnest($endpoints::uuid[]) AS t(id)
   CROSS JOIN LATERAL (
     SELECT coalesce(array_agg(event_type ORDER BY event_type COLLATE "C"), '{}') AS event_types
     FROM (SELECT event_type ${SUBSCRIPTIONS} ORDER BY endpoint_id, event_type LIMIT $types::int) f) s
   ${newestDelivery('t.id')}`,
  {
    params: { project: uuid, endpoints: uuids, types: integer, counted: integer },
    columns: {
      id: nullable(uuid),
      event_types: nullable(texts),
      event_type_count: nullable(integer),
      last_delivery_at: nullable(timestamp),
    },
  },
);
