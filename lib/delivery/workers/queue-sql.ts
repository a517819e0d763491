import { float, integer, nullable } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Rows that are counted at most: a backlog of millions costs no more. */
export const MAX_COUNTED = 10_000;
/** Projects whose outbox is looked at, at most. */
const MAX_PROJECTS = 1_000;

const EVENTS = `status = 'PENDING' AND kind <> 'MAIL'`;
const ageOf = (time: string) => `extract(epoch FROM now() - ${time})::float8`;

/**
 * Measures what is due, from the first entries of the indexes that workers poll: it reads at most 20,000 index entries, 10,000
 * mails, and 1,000 projects with events in the outbox. Leased rows are not due. Returns one row; an age is null when nothing is due.
 */
export const measureQueue = statement(
  `
  WITH RECURSIVE project AS (
    (SELECT project_id FROM outbox WHERE ${EVENTS} ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE ${EVENTS} AND o.project_id > p.project_id ORDER BY o.project_id LIMIT 1)
    FROM project p WHERE p.project_id IS NOT NULL
  ), oldest AS (
    SELECT (SELECT o.available_at FROM outbox o WHERE ${EVENTS} AND o.project_id = p.project_id
            ORDER BY o.available_at LIMIT 1) AS available_at
    FROM (SELECT project_id FROM project WHERE project_id IS NOT NULL LIMIT ${MAX_PROJECTS}) p
  )
  SELECT
    (SELECT count(*)::int FROM (
      SELECT FROM deliveries WHERE status = 'PENDING' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT ${MAX_COUNTED}) d
    ) AS "dueDeliveries",
    (SELECT ${ageOf('next_attempt_at')} FROM deliveries WHERE status = 'PENDING' AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT 1) AS "deliverySeconds",
    (SELECT count(*)::int FROM (
      SELECT FROM outbox WHERE ${EVENTS} ORDER BY project_id, available_at LIMIT ${MAX_COUNTED}) o) AS "outboxRows",
    (SELECT ${ageOf('min(available_at)')} FROM oldest WHERE available_at <= now()) AS "eventSeconds",
    (SELECT ${ageOf('available_at')} FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' AND available_at <= now()
     ORDER BY available_at LIMIT 1) AS "mailSeconds",
    (SELECT ${ageOf('min(created_at)')} FROM (
      SELECT created_at FROM outbox WHERE status = 'PENDING' AND kind = 'MAIL' ORDER BY available_at LIMIT ${MAX_COUNTED}) m
    ) AS "unsentMailSeconds"`,
  {
    dueDeliveries: integer,
    deliverySeconds: nullable(float),
    /** Events and incoming events whose deliveries are not stored yet, including those that a worker has. */
    outboxRows: integer,
    eventSeconds: nullable(float),
    mailSeconds: nullable(float),
    /** Since the oldest unsent mail was written. A failure reschedules a mail, which then is not due. */
    unsentMailSeconds: nullable(float),
  },
);
