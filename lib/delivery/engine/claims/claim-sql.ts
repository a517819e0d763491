import { FRESH_TAKES, lowerBound } from '@/lib/delivery/engine/outbox/outbox-sql';
import {
  IN_OUTBOX,
  isPendingAfter,
  PENDING_BY_PROJECT,
  PENDING_BY_TARGET,
  PENDING_BY_TIME,
  projectsWith,
  TARGET_ID,
  turnsOf,
} from '@/lib/delivery/pending';
import { turnKeySql } from '@/lib/events/turn-key';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import {
  bigint,
  float,
  integer,
  integers,
  nullable,
  text,
  texts,
  uuid,
  uuids,
  writtenTimestamp,
} from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/**
 * Claims the oldest deliveries of each target. So a target with fifty thousand due deliveries costs no more than one with ten, and
 * does not displace the others. A claim in the order of time alone would have to read all of them.
 *
 * Deliveries beyond the limit of bytes stay due, the largest ones: otherwise large deliveries of others would keep the small ones out.
 * The oldest one is always claimed, so large ones have their turn.
 *
 * `limits` is how many of each target, `maxBytes` is for all. None is due before `since`.
 */
export const leaseDue = statement(
  `
  WITH due AS MATERIALIZED (
    SELECT d.* FROM unnest($targets::uuid[], $limits::int[]) AS wanted(target_id, room)
    CROSS JOIN LATERAL (
      SELECT id, event_id, incoming_event_id, next_attempt_at FROM deliveries
      WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = wanted.target_id AND next_attempt_at BETWEEN ${lowerBound('since')} AND now()
      ORDER BY next_attempt_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) d
  ), sized AS (
    SELECT id, row_number() OVER (ORDER BY next_attempt_at, id) AS nth,
           sum(size) OVER (ORDER BY size, next_attempt_at, id ROWS UNBOUNDED PRECEDING) AS bytes
    FROM due CROSS JOIN LATERAL (
      SELECT coalesce((SELECT octet_length(e.payload) FROM events e WHERE e.id = due.event_id),
                      (SELECT octet_length(i.headers) + CASE WHEN i.size <= ${LARGE_BODY_BYTES} THEN i.size ELSE 0 END
                       FROM incoming_events i WHERE i.id = due.incoming_event_id), 0) AS size) AS m
  ), leased AS (
    UPDATE deliveries SET next_attempt_at = now() + make_interval(secs => $leaseSeconds)
    WHERE id = ANY(ARRAY(SELECT id FROM sized WHERE nth = 1 OR bytes <= $maxBytes))
    RETURNING id, project_id, event_id, incoming_event_id, ${TARGET_ID} AS target_id, attempt_count, schedule_step
  )
  SELECT leased.*, (SELECT count(*)::int FROM sized) AS due FROM leased ORDER BY id`,
  {
    params: { targets: uuids, limits: integers, since: writtenTimestamp, leaseSeconds: float, maxBytes: bigint },
    columns: {
      /** How many deliveries would have been claimed without the limit of bytes. */
      due: integer,
      id: uuid,
      project_id: uuid,
      event_id: nullable(uuid),
      incoming_event_id: nullable(uuid),
      target_id: uuid,
      attempt_count: integer,
      schedule_step: integer,
    },
    name: 'claim-due',
  },
);
export type ClaimedRow = RowOf<typeof leaseDue.columns>;

/**
 * Makes deliveries due at once, unless their attempt with this number has been recorded. Locks them by id, as bulk retries and replays do:
 * in another order, the two would deadlock.
 */
export const endLeases = statement(
  `WITH held AS MATERIALIZED (
     SELECT id FROM deliveries WHERE id = ANY($deliveries) ORDER BY id FOR NO KEY UPDATE
   )
   UPDATE deliveries d SET next_attempt_at = now()
   FROM unnest($deliveries::uuid[], $attemptNumbers::int[]) AS j(id, attempt_number)
   WHERE d.id = j.id AND d.id = ANY(ARRAY(SELECT id FROM held)) AND ${isPendingAfter('j.attempt_number - 1')}`,
  { params: { deliveries: uuids, attemptNumbers: integers } },
);

/** Fails as many due deliveries of each target as `limits` says, with its error. Counts them for the statistics. */
export const failDue = statement(
  `
  WITH failed AS (
  UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL, completed_at = now(), last_error = j.error
  FROM unnest($targets::uuid[], $errors::text[]) AS j(target_id, error)
  WHERE ${TARGET_ID} = j.target_id AND id = ANY(ARRAY(
    SELECT due.id FROM unnest($targets::uuid[], $limits::int[]) AS wanted(target_id, most) CROSS JOIN LATERAL (
      SELECT id FROM deliveries
      WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = wanted.target_id AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT wanted.most FOR UPDATE SKIP LOCKED) due))
  RETURNING project_id, j.target_id
  ), counted AS (
    INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last)
    SELECT array_agg(project_id), array_agg(target_id), array_agg('NOT_SENT'::"StatKind"), array_agg(true)
    FROM failed HAVING count(*) > 0
  )
  SELECT target_id, count(*)::int AS failed FROM failed GROUP BY target_id`,
  { params: { errors: texts, targets: uuids, limits: integers }, columns: { target_id: uuid, failed: integer } },
);

/** Selects the first target of the project `wanted` after another one, with its oldest pending delivery. */
const nextTarget = (after: string) => `
  SELECT ${TARGET_ID} AS target_id, next_attempt_at FROM deliveries
  WHERE ${PENDING_BY_PROJECT} AND project_id = wanted.project_id AND ${TARGET_ID} > ${after} AND next_attempt_at >= ${lowerBound('since')}
  ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1`;

export const FIRST_POLL_ROWS = 500;
/** Deliveries that have just become due are found even while many older ones are due. */
const NEWEST_POLL_ROWS = 100;
/** Projects that one search finds at most. The next one resumes after them. */
export const MAX_PROJECTS = 1_000;

/**
 * Transactions of this service last seconds: a minute is a margin for what is stored as of its start. Reads all index entries of rows that
 * were delivered and that a long snapshot, such as that of a backup, keeps: a second for a million.
 */
export const readLowWatermarks = statement(
  `
  SELECT (least((SELECT min(available_at) FROM outbox WHERE ${IN_OUTBOX}), now()) - interval '1 minute')::text AS outbox,
         (least((SELECT min(next_attempt_at) FROM deliveries WHERE ${PENDING_BY_TIME}), now()) - interval '1 minute')::text AS deliveries`,
  { columns: { outbox: text, deliveries: text } },
);

/** Comma-separated ids. */
const FOUND_PROJECTS = `
  array_to_string(ARRAY(SELECT project_id FROM project WHERE project_id IS NOT NULL LIMIT ${MAX_PROJECTS}), ',') AS projects`;

/**
 * Finds the targets of the oldest and newest due deliveries, and the projects with rows in the outbox, after the given one. Returns one
 * row. Lists are comma-separated texts: parsing arrays or thousands of rows would block the event loop for many milliseconds.
 */
export const pollDueWork = statement(
  `
  WITH RECURSIVE ${projectsWith('outbox', `${IN_OUTBOX} AND available_at >= ${lowerBound('outboxSince')}`, '$afterProject')}
  SELECT
    due.*,
    (SELECT (extract(epoch FROM next_attempt_at - now()) * 1000)::float8 FROM deliveries
      WHERE ${PENDING_BY_TIME} AND next_attempt_at > now() ORDER BY next_attempt_at LIMIT 1) AS next_due_ms,
    ${FOUND_PROJECTS},
    (SELECT max(attempts) FROM outbox WHERE ${IN_OUTBOX} AND attempts >= ${FRESH_TAKES} AND available_at <= now())
      AS quarantined_takes
  FROM (
    SELECT count(*) FILTER (WHERE is_oldest)::int AS due_rows,
           string_agg(DISTINCT target_id || ':' || project_id, ',') AS due_targets
    FROM (
      (SELECT ${TARGET_ID} AS target_id, project_id, true AS is_oldest FROM deliveries
       WHERE ${PENDING_BY_TIME} AND next_attempt_at BETWEEN ${lowerBound('since')} AND now() ORDER BY next_attempt_at LIMIT ${FIRST_POLL_ROWS})
      UNION ALL
      (SELECT ${TARGET_ID}, project_id, false FROM deliveries
       WHERE ${PENDING_BY_TIME} AND next_attempt_at BETWEEN ${lowerBound('since')} AND now() ORDER BY next_attempt_at DESC LIMIT ${NEWEST_POLL_ROWS})
    ) AS d
  ) AS due`,
  {
    params: {
      afterProject: uuid,
      outboxSince: writtenTimestamp,
      since: writtenTimestamp,
    },
    columns: {
      due_rows: integer,
      due_targets: nullable(text),
      next_due_ms: nullable(float),
      projects: text,
      quarantined_takes: nullable(integer),
    },
    name: 'poll-due-work',
  },
);

/**
 * Looks at turns of projects in the outbox: of each as many as its limit, after the given one. It reads two index entries for each. Returns
 * one row.
 */
export const searchTurns = statement(
  `
  SELECT string_agg(${turnKeySql('project_id', 'customer_id')}, ',') FILTER (WHERE is_due) AS due,
         string_agg(project_id || ':' || id, ',') FILTER (WHERE nth = most) AS cut
  FROM (
    SELECT wanted.project_id, wanted.most, t.*, row_number() OVER (PARTITION BY wanted.project_id ORDER BY t.id) AS nth, EXISTS (
      SELECT FROM outbox o
      WHERE ${IN_OUTBOX} AND o.project_id = wanted.project_id AND coalesce(o.customer_id, o.project_id) = t.id
        AND o.available_at BETWEEN ${lowerBound('since')} AND now() AND o.attempts < ${FRESH_TAKES} OFFSET 0) AS is_due
    FROM unnest($projects::uuid[], $after::uuid[], $limits::int[]) AS wanted(project_id, after_id, most)
    CROSS JOIN LATERAL (${turnsOf('wanted.project_id', 'wanted.most', {
      after: 'wanted.after_id',
      condition: `available_at >= ${lowerBound('since')}`,
    })}) t
  ) found`,
  {
    params: { projects: uuids, after: uuids, limits: integers, since: writtenTimestamp },
    columns: {
      /** Comma-separated turn keys. */
      due: nullable(text),
      /** The last turn of each project that may have more: comma-separated texts `project:turn`. */
      cut: nullable(text),
    },
    name: 'search-turns',
  },
);

/** Finds the projects with pending deliveries, after the given one. Returns one row. */
export const findPendingProjects = statement(
  `WITH RECURSIVE ${projectsWith('deliveries', `${PENDING_BY_PROJECT} AND next_attempt_at >= ${lowerBound('since')}`, '$afterProject')}
   SELECT ${FOUND_PROJECTS}`,
  {
    params: { afterProject: uuid, since: writtenTimestamp },
    columns: { projects: text },
    name: 'find-pending-projects',
  },
);

/**
 * Looks at targets of projects: of each as many as its limit, after the given one. It reads one index entry for each, however many
 * deliveries it has: the first one is the oldest. Returns one row.
 */
export const searchTargets = statement(
  `
  SELECT string_agg(project_id || ':' || target_id, ',') FILTER (WHERE next_attempt_at <= now()) AS due,
         string_agg(project_id || ':' || target_id, ',') FILTER (WHERE nth = most) AS cut
  FROM (
    SELECT wanted.project_id, wanted.most, t.*, row_number() OVER (PARTITION BY wanted.project_id ORDER BY t.target_id) AS nth
    FROM unnest($projects::uuid[], $after::uuid[], $limits::int[]) AS wanted(project_id, after_id, most)
    CROSS JOIN LATERAL (
      WITH RECURSIVE head AS (
        (${nextTarget('wanted.after_id')})
        UNION ALL
        SELECT next.* FROM head CROSS JOIN LATERAL (${nextTarget('head.target_id')}) next
      )
      SELECT * FROM head LIMIT wanted.most) t
  ) found`,
  {
    params: { projects: uuids, after: uuids, limits: integers, since: writtenTimestamp },
    columns: {
      /** Comma-separated texts `project:target`. */
      due: nullable(text),
      /** The last target of each project that may have more: comma-separated texts `project:target`. */
      cut: nullable(text),
    },
    name: 'search-targets',
  },
);
