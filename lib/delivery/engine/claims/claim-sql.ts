import { FRESH_TAKES, lowerBound } from '@/lib/delivery/engine/outbox/outbox-sql';
import { PENDING_BY_TARGET, PENDING_BY_TIME, TARGET_ID } from '@/lib/delivery/pending';
import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';
import {
  bigint,
  boolean,
  float,
  integer,
  integers,
  nullable,
  text,
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

/** Makes deliveries due at once, unless their attempt with this number has been recorded. */
export const endLeases = statement(
  `UPDATE deliveries d SET next_attempt_at = now()
   FROM unnest($deliveries::uuid[], $attemptNumbers::int[]) AS j(id, attempt_number)
   WHERE d.id = j.id AND d.status = 'PENDING' AND d.attempt_count = j.attempt_number - 1`,
  { params: { deliveries: uuids, attemptNumbers: integers } },
);

/** Fails due deliveries of a target. Counts them for the statistics. */
export const failDue = statement(
  `
  WITH failed AS (
  UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL, completed_at = now(), last_error = $error
  WHERE id = ANY(ARRAY(
    SELECT id FROM deliveries
    WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} = $target AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT $limit FOR UPDATE SKIP LOCKED))
  RETURNING project_id
  ), counted AS (
    INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last)
    SELECT array_agg(project_id), array_agg($target::uuid), array_agg('NOT_SENT'::"StatKind"), array_agg(true)
    FROM failed HAVING count(*) > 0
  )
  SELECT FROM failed`,
  { params: { error: text, target: uuid, limit: bigint } },
);

export const FIRST_POLL_ROWS = 500;
/** Deliveries that have just become due are found even while many older ones are due. */
const NEWEST_POLL_ROWS = 100;
const MAX_TARGETS = 5_000;
/** Projects found by one poll at most. The next poll resumes after them. */
export const MAX_PROJECTS = 1_000;

const IN_OUTBOX = `status = 'PENDING' AND kind <> 'MAIL'`;

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

/**
 * Finds the targets of the oldest and newest due deliveries, and what is due in the outbox, after the given project. Returns one row.
 * Lists are comma-separated texts: parsing arrays or thousands of rows would block the event loop for many milliseconds.
 */
export const pollDueWork = statement(
  `
  WITH RECURSIVE project AS (
    (SELECT project_id FROM outbox WHERE ${IN_OUTBOX} AND project_id > $afterProject AND available_at >= ${lowerBound('outboxSince')}
     ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o
            WHERE ${IN_OUTBOX} AND o.project_id > p.project_id AND o.available_at >= ${lowerBound('outboxSince')} ORDER BY o.project_id LIMIT 1)
    FROM project p WHERE p.project_id IS NOT NULL
  )
  SELECT
    due.*,
    (SELECT (extract(epoch FROM next_attempt_at - now()) * 1000)::float8 FROM deliveries
      WHERE ${PENDING_BY_TIME} AND next_attempt_at > now() ORDER BY next_attempt_at LIMIT 1) AS next_due_ms,
    array_to_string(ARRAY(SELECT p.project_id FROM project p WHERE EXISTS (
      SELECT FROM outbox o WHERE ${IN_OUTBOX} AND o.project_id = p.project_id AND o.available_at BETWEEN ${lowerBound('outboxSince')} AND now()
        AND o.attempts < ${FRESH_TAKES} OFFSET 0)
      LIMIT ${MAX_PROJECTS}), ',') AS due_projects,
    (SELECT max(attempts) FROM outbox WHERE ${IN_OUTBOX} AND attempts >= ${FRESH_TAKES} AND available_at <= now())
      AS quarantined_takes,
    EXISTS (SELECT FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()) AS mail_due
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
    params: { afterProject: uuid, outboxSince: writtenTimestamp, since: writtenTimestamp },
    columns: {
      due_rows: integer,
      due_targets: nullable(text),
      next_due_ms: nullable(float),
      due_projects: text,
      quarantined_takes: nullable(integer),
      mail_due: boolean,
    },
    name: 'poll-due-work',
  },
);

/**
 * Probes the index once for each target, however many deliveries each has: the first row of a target is its oldest. Used when so
 * many deliveries are due that the oldest may all belong to one target. Starts after the given target, so that beyond MAX_TARGETS the
 * next poll can resume.
 */
export const probeTargets = statement(
  `
  WITH RECURSIVE head AS (
    (SELECT ${TARGET_ID} AS target_id, project_id, next_attempt_at FROM deliveries
     WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} > $afterTarget AND next_attempt_at >= ${lowerBound('since')} ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM head CROSS JOIN LATERAL (
      SELECT ${TARGET_ID} AS target_id, project_id, next_attempt_at FROM deliveries
      WHERE ${PENDING_BY_TARGET} AND ${TARGET_ID} > head.target_id AND next_attempt_at >= ${lowerBound('since')}
      ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1) next
  )
  SELECT string_agg(target_id || ':' || project_id, ',') FILTER (WHERE next_attempt_at <= now()) AS due_targets,
         CASE WHEN count(*) = ${MAX_TARGETS} THEN max(target_id::text) END AS resume_after
  FROM (SELECT * FROM head LIMIT ${MAX_TARGETS}) AS probed`,
  {
    params: { afterTarget: uuid, since: writtenTimestamp },
    columns: { due_targets: nullable(text), resume_after: nullable(text) },
    name: 'probe-each-target',
  },
);
