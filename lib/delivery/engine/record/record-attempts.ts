import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { attemptColumns, insertAttemptsSql, runRecord, SETTINGS_SQL } from './record-statement';

/*
 * The attempt number is a fencing token: a result counts only if its attempt is the next one of a pending delivery. So a result
 * after the end of its lease changes nothing, and no success is undone.
 *
 * A delivery that was retried by hand during the attempt has a new schedule: the attempt is recorded, and the retry stays due.
 */
const RECORD_SQL = `
  WITH result AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::boolean[], $5::float8[], $6::timestamptz[], $7::int[],
                         $8::int[], $9::text[], $10::text[], $11::uuid[])
      AS r(delivery_id, attempt_number, schedule_step, succeeded, retry_seconds, started_at, duration_ms,
           response_status, response_body, error, attempt_id)
  ), ${SETTINGS_SQL}, recorded AS (
    UPDATE deliveries d SET
      attempt_count = r.attempt_number,
      stored_attempts = d.stored_attempts + 1,
      schedule_step = CASE WHEN d.schedule_step = r.schedule_step THEN d.schedule_step + 1 ELSE d.schedule_step END,
      status = CASE WHEN r.succeeded THEN 'SUCCEEDED'::"DeliveryStatus"
                    WHEN r.retry_seconds IS NULL AND d.schedule_step = r.schedule_step THEN 'FAILED'
                    ELSE 'PENDING' END,
      next_attempt_at = CASE WHEN r.succeeded THEN NULL
                             WHEN d.schedule_step <> r.schedule_step THEN d.next_attempt_at
                             ELSE now() + make_interval(secs => r.retry_seconds) END,
      completed_at = CASE WHEN r.succeeded OR (r.retry_seconds IS NULL AND d.schedule_step = r.schedule_step)
                          THEN now() END,
      last_attempt_at = r.started_at, last_response_status = r.response_status, last_error = r.error
    FROM result r, settings
    WHERE d.id = r.delivery_id AND d.status = 'PENDING' AND d.attempt_count = r.attempt_number - 1
    RETURNING d.id, d.project_id
  )${insertAttemptsSql('r.attempt_number')}`;

/**
 * Records attempts of stored deliveries, and updates the deliveries, in one statement.
 *
 * @returns the outcomes that were recorded; the others were too late
 */
export async function recordAttempts(sql: Sql, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  return runRecord(sql, outcomes, {
    name: 'record-attempts',
    text: RECORD_SQL,
    values: [
      column(({ job }) => job.deliveryId),
      column(({ job }) => job.attemptNumber),
      column(({ job }) => job.scheduleStep),
      ...attemptColumns(outcomes),
    ],
  });
}
