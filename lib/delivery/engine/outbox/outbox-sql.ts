import { EVENT_COLUMNS, INCOMING_EVENT_COLUMNS, MESSAGE, MESSAGE_BYTES } from '@/lib/delivery/engine/messages-sql';
import { TARGET_VERSION } from '@/lib/delivery/engine/targets-sql';
import { IN_OUTBOX } from '@/lib/delivery/pending';
import { TURN_ID } from '@/lib/events/turn-key';
import {
  bigint,
  boolean,
  enumOf,
  float,
  integer,
  integers,
  knownToBeSet,
  nullable,
  text,
  uuid,
  uuids,
  writtenTimestamp,
} from '@/lib/platform/sql/column';
import { laterBy, nowIf } from '@/lib/platform/sql/now';
import { type Columns, type RowOf, statement } from '@/lib/platform/sql/statement';

/** Targets of one event that a take names at most. The others are listed in pages. */
export const MAX_NAMED_TARGETS = 1_000;

/**
 * The patterns that match the type of an event, as a table `pattern`: `order.*` matches all types below `order.`, at any depth, but not
 * `order`.
 */
export const patternsOf = (event: string) => `
  unnest(ARRAY['*', ${event}.type] || ARRAY(
    SELECT left(${event}.type, dot) || '*' FROM generate_series(1, length(${event}.type) - 1) AS dot
    WHERE substr(${event}.type, dot, 1) = '.')) AS pattern`;

/**
 * The endpoints of a project that have subscriptions to the type of an event `e`: those without a customer, and those of the event's. One
 * of a customer goes to endpoints without one only if they receive such events. `s.endpoint_id` and `s.subscriptions`, their number, are
 * also of those that get nothing, as they or their subscriptions are disabled: they take as long to find. The others have the columns
 * `t.id`, `t.xmin`, `t.filter` and `t.customer_id`. LATERAL with OFFSET 0: a plan that is made while there are few rows would read all of
 * them for each event, also when there are many.
 */
export const subscribed = (project: string, condition = '') => `
  (SELECT s.endpoint_id, bool_or(s.enabled) AS enabled, count(*) AS subscriptions FROM ${patternsOf('e')}
   CROSS JOIN LATERAL (SELECT endpoint_id, enabled FROM subscriptions
                       WHERE project_id = ${project}.project_id AND event_type = pattern AND customer_id IS NULL
                         AND e.customer_id IS NULL ${condition}
                       UNION ALL
                       SELECT endpoint_id, enabled FROM subscriptions
                       WHERE project_id = ${project}.project_id AND event_type = pattern AND customer_id = e.customer_id ${condition}
                       UNION ALL
                       SELECT endpoint_id, enabled FROM subscriptions
                       WHERE project_id = ${project}.project_id AND event_type = pattern AND receives_customer_events
                         AND e.customer_id IS NOT NULL ${condition} OFFSET 0) s GROUP BY s.endpoint_id) s
  LEFT JOIN LATERAL (SELECT xmin, id, filter, customer_id FROM endpoints
                     WHERE s.enabled AND id = s.endpoint_id AND enabled AND deleted_at IS NULL OFFSET 0) t ON true`;

/** Condition on a row with a project_id: neither the project nor its organization is deleted. */
const isAlive = (alias: string) => `
  EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
          WHERE p.id = ${alias}.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL)`;

/** Selects the targets of an event or of a source, as an array of texts `id:version`, by id; of an event also how much was looked at. */
const endpointsOf = (project: string, condition = '') => `
  SELECT array_agg(t.id || ':' || ${TARGET_VERSION} ORDER BY t.id) FILTER (WHERE t.id IS NOT NULL) AS targets,
         sum(s.subscriptions)::int AS looked_at FROM ${subscribed(project)}
  WHERE ${isAlive(project)} ${condition}`;
const destinationsOf = (source: string, project: string) => `
  SELECT array_agg(t.id || ':' || ${TARGET_VERSION} ORDER BY t.id) AS targets FROM destinations t
  WHERE t.source_id = ${source}.source_id AND t.enabled AND t.deleted_at IS NULL AND ${isAlive(project)}`;

/** Selects further targets of an event or incoming event, by id. `after` is the last id of the page before. */
export const selectMoreTargets = statement(
  `
  SELECT t.id, t.filter IS NOT NULL AS is_filtered, t.customer_id FROM events e
  CROSS JOIN LATERAL (SELECT t.id, t.filter, t.customer_id FROM ${subscribed('e', 'AND endpoint_id > $after')}) t
  WHERE e.id = $event AND t.id IS NOT NULL
  UNION
  SELECT t.id, false, NULL FROM incoming_events i JOIN destinations t ON t.source_id = i.source_id AND t.enabled AND t.deleted_at IS NULL
  WHERE i.id = $incomingEvent AND t.id > $after
  ORDER BY id LIMIT ${MAX_NAMED_TARGETS}`,
  {
    params: { event: nullable(uuid), after: uuid, incomingEvent: nullable(uuid) },
    columns: { id: uuid, is_filtered: boolean, customer_id: nullable(uuid) },
  },
);

/** Condition on due outbox rows. Mails have a loop of their own. */
export const DUE = `${IN_OUTBOX} AND available_at <= now()`;

/**
 * After this many takes a row is quarantined: each time a worker died with it or could not store its deliveries. The index
 * outbox_quarantined_idx contains these rows.
 */
export const FRESH_TAKES = 2;

/**
 * SQL for a low watermark, a parameter. A minute ago at most: the clock of the database may have stepped back since it was read, as after
 * a fail-over.
 */
export const lowerBound = (param: string) => `least($${param}::timestamptz, now() - interval '1 minute')`;

/** Selects the oldest rows of each turn, as many as its limit. None is due before `since`. */
const dueInTurn = (columns: string) => `
  SELECT o.*, turn.place FROM unnest($projects::uuid[], $turnIds::uuid[], $limits::int[]) WITH ORDINALITY AS turn(project_id, id, most, place)
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM outbox
    WHERE ${DUE} AND available_at >= ${lowerBound('since')} AND attempts < ${FRESH_TAKES}
      AND project_id = turn.project_id AND ${TURN_ID} = turn.id
    ORDER BY available_at, id LIMIT turn.most FOR UPDATE SKIP LOCKED) o`;

/**
 * Selects quarantined rows of the next project after `after`, those with the most takes first: one project's rows may be many. A row that
 * became due with the last of its takes is a dead letter.
 */
const DUE_IN_QUARANTINE = `
  SELECT id FROM outbox WHERE ${DUE} AND attempts >= ${FRESH_TAKES} AND attempts < $maxTakes::int
  ORDER BY project_id <= $after::uuid, project_id, attempts DESC, available_at LIMIT $limit::int FOR UPDATE SKIP LOCKED`;

/** The result columns of a taken row `c`: its content once, and its targets. */
const RESULT = `
  c.id AS outbox_id, c.project_id, c.turn_customer_id, c.event_id, c.incoming_event_id, c.takes, coalesce(cardinality(c.targets), 0) AS deliveries,
  coalesce(c.looked_at, 0) AS looked_at,
  CASE WHEN c.targets IS NOT NULL THEN c.payload END AS payload, CASE WHEN c.targets IS NOT NULL THEN c.body END AS body,
  c.large_bytes, c.type, c.event_ms, c.source_id, c.query, c.traceparent, CASE WHEN c.targets IS NOT NULL THEN c.headers END AS headers,
  array_to_string(c.targets[1:${MAX_NAMED_TARGETS}], ',') AS targets,
  CASE WHEN c.takes > 1 THEN ARRAY(
    SELECT d.id FROM deliveries d WHERE d.event_id = c.event_id OR d.incoming_event_id = c.incoming_event_id) END AS stored`;

const TAKEN = {
  ...MESSAGE,
  outbox_id: uuid,
  project_id: knownToBeSet(uuid),
  /** The customer in whose turn it is; null for a row of the project itself. */
  turn_customer_id: nullable(uuid),
  /** How often it has been taken, including this time. */
  takes: integer,
  /** How many targets there are. */
  deliveries: integer,
  /** How many subscriptions were looked at to find them. */
  looked_at: integer,
  /** The first MAX_NAMED_TARGETS targets: comma-separated texts `id:version`. */
  targets: nullable(text),
  /** Deliveries that an earlier worker has stored; null in the first take. */
  stored: nullable(uuids),
  /** How many rows were due. */
  due: integer,
};
export type TakenRow = RowOf<typeof TAKEN>;

/*
 * For a few rows, which cannot exceed the limits of a take. The statement is short, since under light load most of its cost is to
 * start it. LATERAL with OFFSET 0 prevents a sequential scan of a table that was small when the plan was made. The last OFFSET 0
 * prevents that the targets are computed once for each reference.
 *
 * The commit does not wait for the disk: if a crash of the database loses the lease, the rows are due again.
 */
const takeFewSql = (due: string, leasedUntil = 'now() + make_interval(secs => $leaseSeconds)') => `
  WITH leased AS (
    UPDATE outbox SET available_at = ${leasedUntil}, attempts = attempts + 1
    FROM (SELECT set_config('synchronous_commit', 'off', true) OFFSET 0) AS durability
    WHERE id = ANY(ARRAY(${due}))
    RETURNING id, project_id, customer_id AS turn_customer_id, event_id, incoming_event_id, attempts AS takes
  )
  SELECT ${RESULT}, (SELECT count(*)::int FROM leased) AS due
  FROM (
    SELECT l.*, e.type, e.payload, e.event_ms, e.customer_id, i.source_id, i.query, i.headers, i.body,
           i.large_bytes, coalesce(e.traceparent, i.traceparent) AS traceparent,
           CASE WHEN l.event_id IS NOT NULL THEN m.targets ELSE (${destinationsOf('i', 'l')}) END AS targets, m.looked_at
    FROM leased l
    LEFT JOIN LATERAL (SELECT ${EVENT_COLUMNS}, e.customer_id FROM events e WHERE e.id = l.event_id OFFSET 0) e ON true
    LEFT JOIN LATERAL (SELECT ${INCOMING_EVENT_COLUMNS} FROM incoming_events i
                       WHERE i.id = l.incoming_event_id OFFSET 0) i ON true
    LEFT JOIN LATERAL (${endpointsOf('l', 'AND l.event_id IS NOT NULL')}) m ON true
    OFFSET 0
  ) c`;

/** A row with as many deliveries or fewer is small: a take has room for one of each turn. */
export const FEW_DELIVERIES = 10;

/** What the targets of a row are found by, as one value: a hash finds it among those of hundreds of customers. Types have no spaces. */
const matchedBy = (row: string) =>
  `coalesce(${row}.source_id::text, ${row}.type || ' ' || coalesce(${row}.customer_id::text, ''))`;

/**
 * Takes many rows. Rows beyond the limits of bytes and deliveries stay due; the first row is always taken, and the first one of each turn if
 * it has few deliveries. Subscriptions that were looked at count as deliveries if they are more. The first row of each turn comes before
 * the second row of any. Each type is matched once for each project and customer.
 */
export const takeMany = statement(
  `
  WITH due AS MATERIALIZED (${dueInTurn('id, project_id, customer_id AS turn_customer_id, event_id, incoming_event_id, attempts, available_at')}
  ), content AS MATERIALIZED (
    SELECT due.*, e.type, e.payload, e.event_ms, e.customer_id, i.source_id, i.query, i.headers, i.body,
           i.large_bytes, coalesce(e.traceparent, i.traceparent) AS traceparent,
           ${MESSAGE_BYTES} AS bytes,
           row_number() OVER (PARTITION BY due.place ORDER BY due.available_at, due.id) AS nth_of_turn
    FROM due
    LEFT JOIN LATERAL (SELECT ${EVENT_COLUMNS}, e.customer_id FROM events e WHERE e.id = due.event_id OFFSET 0) e ON true
    LEFT JOIN LATERAL (SELECT ${INCOMING_EVENT_COLUMNS} FROM incoming_events i
                       WHERE i.id = due.incoming_event_id OFFSET 0) i ON true
  ), matched AS MATERIALIZED (
    SELECT e.project_id, e.type, e.customer_id, NULL::uuid AS source_id, m.targets, m.looked_at
    FROM (SELECT DISTINCT project_id, type, customer_id FROM content WHERE type IS NOT NULL) e
    CROSS JOIN LATERAL (${endpointsOf('e')}) m
    UNION ALL
    SELECT e.project_id, NULL, NULL, e.source_id, m.targets, NULL
    FROM (SELECT DISTINCT project_id, source_id FROM content WHERE source_id IS NOT NULL) e
    CROSS JOIN LATERAL (${destinationsOf('e', 'e')}) m
  ), sized AS (
    SELECT content.*, m.targets, m.looked_at, greatest(cardinality(m.targets), m.looked_at, 0) AS weight
    FROM content LEFT JOIN matched m ON m.project_id = content.project_id AND ${matchedBy('m')} = ${matchedBy('content')}
  ), chosen AS MATERIALIZED (
    SELECT *, attempts + 1 AS takes FROM (
      SELECT sized.*, row_number() OVER w AS nth, sum(bytes) OVER w AS bytes_before, sum(weight) OVER w AS weight_before
      FROM sized WINDOW w AS (ORDER BY nth_of_turn, place, id ROWS UNBOUNDED PRECEDING)) ranked
    WHERE nth = 1 OR (bytes_before <= $maxBytes AND (
      weight_before <= $maxDeliveries OR (nth_of_turn = 1 AND weight <= ${FEW_DELIVERIES})))
  ), leased AS (
    UPDATE outbox SET available_at = now() + make_interval(secs => $leaseSeconds), attempts = attempts + 1
    FROM (SELECT set_config('synchronous_commit', 'off', true) OFFSET 0) AS durability
    WHERE id = ANY(ARRAY(SELECT id FROM chosen))
    RETURNING id
  )
  SELECT ${RESULT}, (SELECT count(*)::int FROM due) AS due FROM chosen c`,
  {
    params: {
      projects: uuids,
      turnIds: uuids,
      limits: integers,
      since: writtenTimestamp,
      maxBytes: bigint,
      maxDeliveries: bigint,
      leaseSeconds: float,
    },
    columns: TAKEN,
    name: 'take-many-entries',
  },
);

/** Takes a few rows. */
export const takeFew = statement(takeFewSql(dueInTurn('id').replace('o.*, turn.place', 'o.id')), {
  params: { leaseSeconds: float, projects: uuids, turnIds: uuids, limits: integers, since: writtenTimestamp },
  columns: TAKEN,
  name: 'take-few-entries',
});

/**
 * Takes rows of the quarantine. The leases get longer, so that a fault of the database or of the workers does not make dead
 * letters within minutes.
 */
export const takeFromQuarantine = statement(
  takeFewSql(
    DUE_IN_QUARANTINE,
    laterBy(
      `attempts - ${FRESH_TAKES}`,
      [1, 2, 4, 8, 16, 32, 64].map((times) => `$leaseSeconds::float8 * ${times}`),
    ),
  ),
  { params: { leaseSeconds: float, limit: integer, maxTakes: integer, after: nullable(uuid) }, columns: TAKEN },
);

const status = enumOf<'PENDING' | 'DEAD'>('OutboxStatus');

/** 5 s, 15 s, 45 s … at most an hour: an event becomes a dead letter after about four hours, a mail after a day. */
const LATER_SQL = (tries: string) => laterBy(tries, [5, 15, 45, 135, 405, 1215, 3600]);

/**
 * Reschedules a row after a failure of its take. `takes` is the fencing token: a row that another worker has taken meanwhile is left
 * to that worker.
 */
export const rescheduleTaken = statement(
  `
  UPDATE outbox SET
    last_error = $error,
    available_at = ${LATER_SQL('attempts - 1')},
    status = CASE WHEN attempts >= $maxTakes THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = ${nowIf('attempts >= $maxTakes')}
  WHERE id = $row AND status = 'PENDING' AND attempts = $takes
  RETURNING status`,
  { params: { error: text, maxTakes: integer, row: uuid, takes: integer }, columns: { status } },
);

/** Renews the lease of a row, unless another worker has taken it. */
export const renewTaken = statement(
  `UPDATE outbox SET available_at = now() + make_interval(secs => $leaseSeconds)
   FROM unnest($rows::uuid[], $takes::int[]) AS held(id, takes)
   WHERE outbox.id = held.id AND outbox.attempts = held.takes AND outbox.status = 'PENDING'
   RETURNING outbox.id`,
  { params: { rows: uuids, takes: integers, leaseSeconds: float }, columns: { id: uuid } },
);

/** Counts a try of a row that was not taken, which would have counted it. */
const countTry = <P extends Columns>(table: 'outbox' | 'mails', condition: string, params: P, ofDead = '') =>
  statement(
    `
  UPDATE ${table} SET
    attempts = attempts + 1,
    last_error = $error,
    available_at = ${LATER_SQL('attempts')},
    status = CASE WHEN attempts + 1 >= $maxTries THEN 'DEAD'::"OutboxStatus" ELSE status END,
    dead_at = ${nowIf('attempts + 1 >= $maxTries')}${ofDead}
  WHERE ${condition}
  RETURNING id, status`,
    { params: { error: text, maxTries: integer, ...params }, columns: { id: uuid, status } },
  );

/** Counts a try of the row that the next take of a turn starts with. */
export const countTryOfOldest = countTry(
  'outbox',
  `
  id = (SELECT id FROM outbox WHERE project_id = $project AND ${TURN_ID} = $turnId AND ${DUE} AND attempts < ${FRESH_TAKES}
        ORDER BY available_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`,
  { project: uuid, turnId: uuid },
);

/** Counts a try of a mail. A dead letter is kept for its error alone: nobody sends it again, and it counts for no limit of storage. */
export const countTryOfMail = countTry(
  'mails',
  `id = $mail AND status = 'PENDING'`,
  { mail: uuid },
  `, payload_encrypted = CASE WHEN attempts + 1 >= $maxTries THEN '' ELSE payload_encrypted END`,
);

/** Makes dead letters of the due rows that have been taken `maxTakes` times. `error` is for those without one. */
export const markDead = statement(
  `
  UPDATE outbox SET status = 'DEAD', dead_at = now(), last_error = coalesce(last_error, $error)
  WHERE ${DUE} AND attempts >= ${FRESH_TAKES} AND attempts >= $maxTakes
  RETURNING id`,
  { params: { error: text, maxTakes: integer }, columns: { id: uuid } },
);
