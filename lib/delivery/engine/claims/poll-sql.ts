import { FRESH_TAKES } from '@/lib/delivery/engine/outbox/take-sql';
import { boolean, float, integer, nullable, text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { TARGET_ID } from './claim-sql';

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
