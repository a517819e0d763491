import type { Sql } from '@/lib/platform/db';
import {
  bigint,
  boolean,
  integer,
  jsonOf,
  nullable,
  text,
  timestamp,
  uuid,
  writtenTimestamp,
  writtenUuids,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/**
 * What a delivery is about: an event or an incoming event. Both are removed in the same way, so the comments of this folder
 * say "event" for either.
 */
export interface EventTable {
  table: 'events' | 'incoming_events';
  /** The column of deliveries and of the outbox that refers to it. */
  column: 'event_id' | 'incoming_event_id';
}

export const EVENT: EventTable = { table: 'events', column: 'event_id' };
export const INCOMING_EVENT: EventTable = { table: 'incoming_events', column: 'incoming_event_id' };

/** Makes something for each source, such as a statement, by the name of its table. */
const forEachEventTable = <T>(make: (source: EventTable) => T): Record<EventTable['table'], T> => ({
  events: make(EVENT),
  incoming_events: make(INCOMING_EVENT),
});

/** SQL: whether row `e` may be removed once it has expired. No delivery of it is pending, and it does not wait for its fan-out. */
export const isRemovableSql = ({ column }: EventTable) => `
  NOT EXISTS (SELECT FROM deliveries d WHERE d.${column} = e.id AND d.status = 'PENDING')
  AND NOT EXISTS (SELECT FROM outbox o WHERE o.${column} = e.id AND o.status = 'PENDING')`;

/** An event that a run has dealt with; the next batch begins after it. The time is text, since a Date has no microseconds. */
export interface Cursor {
  time: string;
  id: string;
}

/**
 * Makes the planner use indexes and generic plans in a transaction. Planning for the ids of one batch takes longer than running
 * it, and with statistics from before a bulk load the planner would read entire tables. Subqueries hide arrays of ids from the
 * planner for the same reason.
 */
export async function preferIndexes(tx: Sql): Promise<void> {
  await tx.query('SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off; SET LOCAL jit = off');
}

/** Sets a savepoint after a batch has locked its events, before it changes anything. */
export const markLocked = statement('SAVEPOINT locked');

/** Rolls back to that savepoint. The events stay locked. */
export const keepLocksOnly = statement('ROLLBACK TO locked');

/**
 * Locks the next expired events, and returns the last of them as the cursor. Skips those that another transaction, such
 * as a fan-out, has locked. No delivery can be added to a locked one.
 */
export const lockExpired = forEachEventTable(({ table }) =>
  statement(
    `
  WITH event AS MATERIALIZED (
    SELECT id, created_at FROM ${table}
    WHERE created_at <= $until AND (created_at, id) > ($afterTime::timestamptz, $afterId::uuid)
    ORDER BY created_at, id LIMIT $limit FOR UPDATE SKIP LOCKED
  ), locked AS (SELECT coalesce(array_agg(id), '{}') AS ids, max(created_at)::text AS time FROM event)
  SELECT cardinality(ids) AS count, ids::text, jsonb_build_object('time', time, 'id', ids[cardinality(ids)]) AS cursor
  FROM locked`,
    {
      params: { until: writtenTimestamp, afterTime: writtenTimestamp, afterId: uuid, limit: bigint },
      columns: {
        /** The number of ids. */
        count: integer,
        /** Oldest first, in PostgreSQL's array syntax: 100,000 strings would need ten times the memory. */
        ids: text,
        cursor: jsonOf<Cursor>(),
      },
      name: `retention-lock-${table}`,
    },
  ),
);

export type ExpiredEvents = RowOf<typeof lockExpired.events.columns>;

/** Deliveries that are locked or already deleted: no worker can add an attempt to them. */
const LOCKED_DELIVERIES = {
  count: integer,
  /** Sorted, in PostgreSQL's array syntax. */
  ids: text,
};

export type LockedDeliveries = RowOf<typeof LOCKED_DELIVERIES>;

/*
 * Locks the deliveries and outbox rows of the first `$count` locked events, unless there are more than `$maxDeliveries`
 * deliveries. An event is `busy`, and stays, when one of these rows is pending or locked by another transaction. It must run as
 * a separate statement after `lockExpired`, to see everything committed before the events were locked.
 */
const lockDependents = ({ column }: EventTable) => `
  event AS MATERIALIZED (SELECT unnest(($events::uuid[])[:$count]) AS id
  ), delivery AS MATERIALIZED (
    SELECT id, ${column} AS event_id FROM deliveries
    WHERE ${column} = ANY(ARRAY(SELECT id FROM event)) LIMIT $maxDeliveries + 1::bigint
  ), entry AS MATERIALIZED (
    SELECT id, ${column} AS event_id FROM outbox WHERE ${column} = ANY(ARRAY(SELECT id FROM event))
  ), size AS MATERIALIZED (SELECT count(*) > $maxDeliveries AS is_too_large FROM delivery
  ), locked_delivery AS MATERIALIZED (
    SELECT id FROM deliveries WHERE id = ANY(ARRAY(SELECT id FROM delivery)) AND NOT (SELECT is_too_large FROM size)
      AND status <> 'PENDING' FOR UPDATE SKIP LOCKED
  ), locked_entry AS MATERIALIZED (
    SELECT id FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM entry)) AND NOT (SELECT is_too_large FROM size)
      AND status <> 'PENDING' FOR UPDATE SKIP LOCKED
  ), busy AS MATERIALIZED (
    SELECT event_id FROM delivery WHERE id NOT IN (SELECT id FROM locked_delivery)
    UNION SELECT event_id FROM entry WHERE id NOT IN (SELECT id FROM locked_entry)
  ), removable AS MATERIALIZED (SELECT id FROM delivery WHERE event_id NOT IN (SELECT event_id FROM busy))`;

const DEPENDENTS_PARAMS = { events: writtenUuids, count: integer, maxDeliveries: bigint };

/**
 * Deletes the first `$count` locked events, except busy ones, with their deliveries and outbox rows. Deletes nothing when there are
 * more than `$maxDeliveries` deliveries.
 */
export const deleteEvents = forEachEventTable((source) =>
  statement(
    `
  WITH ${lockDependents(source)}, deleted_delivery AS (
    DELETE FROM deliveries WHERE id = ANY(ARRAY(SELECT id FROM removable)) RETURNING 1
  ), deleted_entry AS (
    DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM entry WHERE event_id NOT IN (SELECT event_id FROM busy)))
    RETURNING 1
  ), deleted_event AS (
    DELETE FROM ${source.table} WHERE id = ANY(ARRAY(SELECT id FROM event WHERE id NOT IN (SELECT event_id FROM busy)))
      AND NOT (SELECT is_too_large FROM size)
    RETURNING 1
  )
  SELECT (SELECT is_too_large FROM size) AS "isTooLarge", (SELECT count(*)::int FROM deleted_event) AS events,
    (SELECT count(*)::int FROM deleted_entry) AS outbox, count(*)::int AS count,
    coalesce(array_agg(id ORDER BY id), '{}')::text AS ids,
    (SELECT jsonb_build_object('time', created_at::text, 'id', id) FROM ${source.table} WHERE id = ($events::uuid[])[$count]) AS cursor
  FROM removable`,
    {
      params: DEPENDENTS_PARAMS,
      columns: {
        ...LOCKED_DELIVERIES,
        /** More deliveries than a batch removes: nothing was deleted. */
        isTooLarge: boolean,
        events: integer,
        outbox: integer,
        /** The last event that was asked for. */
        cursor: jsonOf<Cursor>(),
      },
      name: `retention-delete-${source.table}`,
    },
  ),
);

/** Locks all rows that refer to an event, and returns its first `$limit` deliveries by id; none when the event is busy. */
export const lockDeliveries = forEachEventTable((source) =>
  statement(
    `
  WITH ${lockDependents(source)}, first AS (SELECT * FROM removable ORDER BY id LIMIT $limit)
  SELECT count(*)::int AS count, coalesce(array_agg(id ORDER BY id), '{}')::text AS ids
  FROM first`,
    {
      params: { ...DEPENDENTS_PARAMS, limit: bigint },
      columns: LOCKED_DELIVERIES,
      name: `retention-lock-deliveries-of-${source.table}`,
    },
  ),
);

/**
 * Finds the first and the last time at which attempts of the deliveries between two ids were made. The times are text, since a Date
 * has no microseconds.
 *
 * Attempts have no foreign key, and their only index is by delivery, in each of some hundred partitions. Looking up a thousand
 * deliveries in every partition takes longer than the rest of a batch: this reads one range of ids in each. Usually it finds
 * none, because attempts expire before events.
 */
export const findAttemptWindow = statement(
  `
  SELECT min(created_at)::text AS first, max(created_at)::text AS last FROM delivery_attempts
  WHERE delivery_id >= $firstId::uuid AND delivery_id <= $lastId::uuid`,
  {
    params: { firstId: uuid, lastId: uuid },
    columns: { first: nullable(text), last: nullable(text) },
    name: 'retention-attempt-window',
  },
);

// A subquery hides the array from the planner, which would otherwise estimate each of a thousand ids for every partition.
// Both outcomes are named, since partitions are found by outcome and time.
const IN_WINDOW = 'created_at >= $first AND created_at <= $last';
const THEIRS = `delivery_id = ANY(ARRAY(SELECT unnest(($deliveries::uuid[])[:$count])))
  AND (succeeded AND ${IN_WINDOW} OR NOT succeeded AND ${IN_WINDOW})`;

/** Deletes the attempts that the first `$count` deliveries got in a window of time, unless there are more than the limit. */
export const deleteAttemptsInWindow = statement(
  `
  WITH stored AS MATERIALIZED (SELECT FROM delivery_attempts WHERE ${THEIRS} LIMIT $limit + 1::bigint
  ), deleted AS (
    DELETE FROM delivery_attempts WHERE ${THEIRS} AND (SELECT count(*) FROM stored) <= $limit RETURNING 1
  )
  SELECT (SELECT count(*) FROM stored) > $limit AS "exceedsLimit", count(*)::int AS deleted FROM deleted`,
  {
    params: {
      deliveries: writtenUuids,
      count: integer,
      first: writtenTimestamp,
      last: writtenTimestamp,
      limit: bigint,
    },
    columns: { exceedsLimit: boolean, deleted: integer },
    name: 'retention-delete-attempts',
  },
);

/** Deletes the first `$count` of deliveries that have no attempts. */
export const deleteDeliveries = statement(
  'DELETE FROM deliveries WHERE id = ANY(ARRAY(SELECT unnest(($deliveries::uuid[])[:$count])))',
  { params: { deliveries: writtenUuids, count: integer } },
);

const KEY = 'attempt_number, succeeded, created_at';

/** Deletes the attempts of a delivery that have the lowest numbers. */
export const deleteOldestAttempts = statement(
  `
  DELETE FROM delivery_attempts WHERE delivery_id = $delivery AND (${KEY}) <= (
    SELECT ${KEY} FROM delivery_attempts WHERE delivery_id = $delivery ORDER BY ${KEY} OFFSET $count - 1 LIMIT 1)`,
  { params: { delivery: uuid, count: integer } },
);

/** Lowers the count of a delivery's attempts. */
export const lowerCount = statement(
  'UPDATE deliveries SET stored_attempts = greatest(stored_attempts - $removed, 0) WHERE id = $delivery',
  { params: { removed: integer, delivery: uuid } },
);

/**
 * Counts the expired events that may be removed, with their deliveries, outbox rows and unexpired attempts. Successful and failed
 * attempts expire at different times.
 */
export const countRemovable = forEachEventTable((source) =>
  statement(
    `
  WITH removable AS MATERIALIZED (
    SELECT e.id FROM ${source.table} e WHERE e.created_at <= $until AND ${isRemovableSql(source)}
  ), delivery AS MATERIALIZED (
    SELECT d.id FROM deliveries d JOIN removable ON removable.id = d.${source.column}
  )
  SELECT (SELECT count(*) FROM removable) AS events, (SELECT count(*) FROM delivery) AS deliveries,
    (SELECT count(*) FROM outbox o JOIN removable ON removable.id = o.${source.column}) AS outbox,
    (SELECT count(*) FROM delivery_attempts a JOIN delivery d ON d.id = a.delivery_id
     WHERE a.succeeded AND a.created_at >= $succeededFrom OR NOT a.succeeded AND a.created_at >= $failedFrom) AS delivery_attempts`,
    {
      params: { until: timestamp, succeededFrom: timestamp, failedFrom: timestamp },
      columns: { events: bigint, deliveries: bigint, outbox: bigint, delivery_attempts: bigint },
    },
  ),
);
