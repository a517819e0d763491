import { FRESH_TAKES } from '@/lib/delivery/engine/outbox/outbox-sql';
import { boolean, float, integer, nullable, text, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** The expression of the index that claims use. */
const TARGET_ID = 'coalesce(endpoint_id, destination_id)';

/**
 * Claims the oldest deliveries of each target. So a target with fifty thousand due deliveries costs no more than one with ten, and
 * does not displace the others. A claim in the order of time alone would have to read all of them.
 *
 * Deliveries beyond the limit of bytes stay due. The first delivery is always claimed.
 *
 * $1 targets, $2 deliveries of each at most, $3 seconds of the lease, $4 bytes of all deliveries at most.
 */
export const leaseDue = statement(
  `
  WITH due AS MATERIALIZED (
    SELECT d.* FROM unnest($1::uuid[], $2::int[]) AS wanted(target_id, room)
    CROSS JOIN LATERAL (
      SELECT id, event_id, incoming_event_id, next_attempt_at FROM deliveries
      WHERE status = 'PENDING' AND ${TARGET_ID} = wanted.target_id AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) d
  ), sized AS (
    SELECT id, row_number() OVER w AS nth,
           sum(coalesce((SELECT octet_length(e.payload) FROM events e WHERE e.id = due.event_id),
                        (SELECT octet_length(i.headers) + octet_length(i.body) FROM incoming_events i WHERE i.id = due.incoming_event_id), 0))
             OVER w AS bytes
    FROM due WINDOW w AS (ORDER BY next_attempt_at, id ROWS UNBOUNDED PRECEDING)
  ), leased AS (
    UPDATE deliveries SET next_attempt_at = now() + make_interval(secs => $3)
    WHERE id = ANY(ARRAY(SELECT id FROM sized WHERE nth = 1 OR bytes <= $4))
    RETURNING id, project_id, event_id, incoming_event_id, ${TARGET_ID} AS target_id, attempt_count, schedule_step
  )
  SELECT * FROM leased ORDER BY id`,
  {
    id: uuid,
    project_id: uuid,
    event_id: nullable(uuid),
    incoming_event_id: nullable(uuid),
    target_id: uuid,
    attempt_count: integer,
    schedule_step: integer,
  },
  { name: 'claim-due' },
);
export type ClaimedRow = RowOf<typeof leaseDue.columns>;

/** Makes deliveries $1 due at once, unless their attempt with the number of $2 has been recorded. */
export const endLeases = statement(
  `UPDATE deliveries d SET next_attempt_at = now()
   FROM unnest($1::uuid[], $2::int[]) AS j(id, attempt_number)
   WHERE d.id = j.id AND d.status = 'PENDING' AND d.attempt_count = j.attempt_number - 1`,
);

/** Fails the due deliveries of target $1 with the error $2, $3 at most. Counts them for the statistics. */
export const failDue = statement(`
  WITH failed AS (
  UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL, completed_at = now(), last_error = $2
  WHERE id = ANY(ARRAY(
    SELECT id FROM deliveries
    WHERE status = 'PENDING' AND ${TARGET_ID} = $1 AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED))
  RETURNING project_id
  ), counted AS (
    INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last)
    SELECT array_agg(project_id), array_agg($1::uuid), array_agg('NOT_SENT'::"StatKind"), array_agg(true)
    FROM failed HAVING count(*) > 0
  )
  SELECT FROM failed`);

export const FIRST_POLL_ROWS = 500;
/** Deliveries that have just become due are found even while many older ones are due. */
const NEWEST_POLL_ROWS = 100;
const MAX_TARGETS = 5_000;
/** Projects found by one poll at most. The next poll resumes after them. */
export const MAX_PROJECTS = 1_000;

const IN_OUTBOX = `status = 'PENDING' AND kind <> 'MAIL'`;

/**
 * Finds the targets of the oldest and newest due deliveries, and what is due in the outbox, from the project after $1.
 * Returns one row. Lists are comma-separated texts: parsing arrays or thousands of rows would block the event loop for many
 * milliseconds.
 */
export const pollDueWork = statement(
  `
  WITH RECURSIVE project AS (
    (SELECT project_id FROM outbox WHERE ${IN_OUTBOX} AND project_id > $1 ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE ${IN_OUTBOX} AND o.project_id > p.project_id ORDER BY o.project_id LIMIT 1)
    FROM project p WHERE p.project_id IS NOT NULL
  )
  SELECT
    due.*,
    (SELECT (extract(epoch FROM next_attempt_at - now()) * 1000)::float8 FROM deliveries
      WHERE status = 'PENDING' AND next_attempt_at > now() ORDER BY next_attempt_at LIMIT 1) AS next_due_ms,
    array_to_string(ARRAY(SELECT p.project_id FROM project p WHERE EXISTS (
      SELECT FROM outbox o WHERE ${IN_OUTBOX} AND o.project_id = p.project_id AND o.available_at <= now()
        AND o.attempts < ${FRESH_TAKES})
      LIMIT ${MAX_PROJECTS}), ',') AS due_projects,
    (SELECT max(attempts) FROM outbox WHERE ${IN_OUTBOX} AND attempts >= ${FRESH_TAKES} AND available_at <= now())
      AS quarantined_takes,
    EXISTS (SELECT FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()) AS mail_due
  FROM (
    SELECT count(*) FILTER (WHERE is_oldest)::int AS due_rows,
           string_agg(DISTINCT target_id || ':' || project_id, ',') AS due_targets
    FROM (
      (SELECT ${TARGET_ID} AS target_id, project_id, true AS is_oldest FROM deliveries
       WHERE status = 'PENDING' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT ${FIRST_POLL_ROWS})
      UNION ALL
      (SELECT ${TARGET_ID}, project_id, false FROM deliveries
       WHERE status = 'PENDING' AND next_attempt_at <= now() ORDER BY next_attempt_at DESC LIMIT ${NEWEST_POLL_ROWS})
    ) AS d
  ) AS due`,
  {
    due_rows: integer,
    due_targets: nullable(text),
    next_due_ms: nullable(float),
    due_projects: text,
    quarantined_takes: nullable(integer),
    mail_due: boolean,
  },
  { name: 'poll-due-work' },
);

/**
 * Probes the index once for each target, however many deliveries each has: the first row of a target is its oldest. Used when so
 * many deliveries are due that the oldest may all belong to one target. Starts after target $1, so that beyond MAX_TARGETS the next
 * poll can resume.
 */
export const probeTargets = statement(
  `
  WITH RECURSIVE head AS (
    (SELECT ${TARGET_ID} AS target_id, project_id, next_attempt_at FROM deliveries
     WHERE status = 'PENDING' AND ${TARGET_ID} > $1 ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM head CROSS JOIN LATERAL (
      SELECT ${TARGET_ID} AS target_id, project_id, next_attempt_at FROM deliveries
      WHERE status = 'PENDING' AND ${TARGET_ID} > head.target_id ORDER BY ${TARGET_ID}, next_attempt_at LIMIT 1) next
  )
  SELECT string_agg(target_id || ':' || project_id, ',') FILTER (WHERE next_attempt_at <= now()) AS due_targets,
         CASE WHEN count(*) = ${MAX_TARGETS} THEN max(target_id::text) END AS resume_after
  FROM (SELECT * FROM head LIMIT ${MAX_TARGETS}) AS probed`,
  { due_targets: nullable(text), resume_after: nullable(text) },
  { name: 'probe-each-target' },
);
