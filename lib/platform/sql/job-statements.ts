import { float, integer, knownToBeSet, nullable, text, uuid, writtenTimestamp } from './column';
import { laterBy, nowIf } from './now';
import { statement } from './statement';

/** Tries in a row that fail before a job ends: the last is 70 minutes after the first, so an outage of an hour ends none. */
export const MAX_FAILED_TRIES = 13;
/** Seconds from the first failed try to the next one, from the second, and so on; the last for all later ones. */
const WAITS = [10, 20, 40, 80, 160, 320, 600];

/** What the statement that moves a job forward sets besides: its last try has not failed. */
export const FORGET_FAILED_TRIES = 'failed_tries = 0, error = NULL, try_began_at = NULL';

/** Whether a try has begun and not ended: its worker was killed, or lost its connection. */
const IS_OPEN = 'try_began_at IS NOT NULL';
const FAILED_AND_OPEN = `failed_tries + (${IS_OPEN})::int`;

/** Sets the end of a job after these tries, or when the next one is, by the number of waits before. Both are SQL. */
const afterFailedTries = (tries: string, waits: string) =>
  `next_batch_at = ${laterBy(waits, WAITS)},
            status = CASE WHEN ${tries} >= ${MAX_FAILED_TRIES} THEN 'FAILED' ELSE status END,
            completed_at = ${nowIf(`${tries} >= ${MAX_FAILED_TRIES}`)}`;

/** Returns the statements that jobs of all kinds share. @param table that of their rows */
export const jobStatements = (table: string) => ({
  /** Selects the milliseconds, negative when overdue, until the next batch of any job of this kind. */
  selectNextDue: statement(
    `SELECT extract(epoch FROM min(next_batch_at) - now())::float8 * 1000 AS in_ms FROM ${table} WHERE status = 'RUNNING'`,
    { columns: { in_ms: nullable(float) } },
  ),
  /**
   * Notes that a try of a running job begins, which the caller has locked, and when the next one is if this one never ends. A try before
   * that never ended has failed, so the job may end.
   */
  beginTry: statement(
    `WITH begun AS (
       UPDATE ${table} SET try_began_at = now(), failed_tries = ${FAILED_AND_OPEN}, error = CASE WHEN ${IS_OPEN} THEN $reason ELSE error END,
              ${afterFailedTries(FAILED_AND_OPEN, FAILED_AND_OPEN)}
       WHERE id = $job RETURNING status, failed_tries, try_began_at
     ) SELECT status::text AS status, failed_tries, try_began_at::text AS began FROM begun`,
    {
      params: { reason: text, job: uuid },
      columns: { status: text, failed_tries: integer, began: knownToBeSet(text) },
    },
  ),
  /** Locks a running job for a try, unless another worker has begun a later one. */
  lockTry: statement(
    `SELECT FROM ${table} WHERE id = $job AND status = 'RUNNING' AND try_began_at = $began FOR UPDATE`,
    { params: { job: uuid, began: writtenTimestamp } },
  ),
  /** Repeats the batch of a job later: this try has ended without moving it. */
  reschedule: statement(
    `UPDATE ${table} SET try_began_at = NULL, next_batch_at = now() + make_interval(secs => $seconds) WHERE id = $job`,
    { params: { seconds: float, job: uuid } },
  ),
  /**
   * Counts a failed try of a running job, and sets the time of the next one, or ends the job. `tries` are those that it had before: a
   * try that another worker has counted meanwhile is counted once.
   */
  countFailedTry: statement(
    `WITH counted AS (
       UPDATE ${table} SET failed_tries = failed_tries + 1, error = $reason,
              try_began_at = NULL, ${afterFailedTries('failed_tries + 1', 'failed_tries')}
       WHERE id = $job AND status = 'RUNNING' AND failed_tries = $tries RETURNING status
     ) SELECT status::text AS status FROM counted`,
    { params: { reason: text, job: uuid, tries: integer }, columns: { status: text } },
  ),
});
