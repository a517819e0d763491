import { float, integer, nullable, text, uuid } from './column';
import { statement } from './statement';

/** Tries in a row that fail before a job ends: the last is 70 minutes after the first, so an outage of an hour ends none. */
export const MAX_FAILED_TRIES = 13;
/** Seconds from the first failed try to the next one; doubled with each further one. */
const FIRST_WAIT = 10;
const LONGEST_WAIT = 600;

/** What the statement that moves a job forward sets besides: its last try has not failed. */
export const FORGET_FAILED_TRIES = 'failed_tries = 0, error = NULL';

const IS_LAST = `failed_tries + 1 >= ${MAX_FAILED_TRIES}`;

/** Returns the statements that jobs of all kinds share. @param table that of their rows */
export const jobStatements = (table: string) => ({
  /** Selects the milliseconds, negative when overdue, until the next batch of any job of this kind. */
  selectNextDue: statement(
    `SELECT extract(epoch FROM min(next_batch_at) - now())::float8 * 1000 AS in_ms FROM ${table} WHERE status = 'RUNNING'`,
    { columns: { in_ms: nullable(float) } },
  ),
  /** Repeats the batch of a job later. */
  reschedule: statement(`UPDATE ${table} SET next_batch_at = now() + make_interval(secs => $seconds) WHERE id = $job`, {
    params: { seconds: float, job: uuid },
  }),
  /**
   * Counts a failed try of a running job, and sets the time of the next one, or ends the job. `tries` are those that it had before: a
   * try that another worker has counted meanwhile is counted once.
   */
  countFailedTry: statement(
    `UPDATE ${table} SET failed_tries = failed_tries + 1, error = $reason,
            next_batch_at = now() + make_interval(secs => least(${FIRST_WAIT} * power(2, failed_tries), ${LONGEST_WAIT})),
            status = CASE WHEN ${IS_LAST} THEN 'FAILED' ELSE status END,
            completed_at = CASE WHEN ${IS_LAST} THEN now() END
     WHERE id = $job AND status = 'RUNNING' AND failed_tries = $tries RETURNING status::text AS status`,
    { params: { reason: text, job: uuid, tries: integer }, columns: { status: text } },
  ),
});
