import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { attemptColumns } from './attempt-columns';

/*
 * The fence: a result counts only while its attempt is the next one of a delivery that is still pending. So a late
 * result of a lease that had ended changes nothing and is counted nowhere, and a success is never undone.
 *
 * It does not wait for the disk: what a crash of the database takes away is sent again, at least once, as promised.
 *
 * A delivery retried by hand while an attempt was under way has a new schedule: the attempt is recorded, and the retry
 * that was asked for still comes.
 */
const RECORD_SQL = `
  WITH result AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::boolean[], $5::float8[], $6::timestamptz[], $7::int[],
                         $8::int[], $9::text[], $10::text[], $11::uuid[])
      AS r(delivery_id, attempt_number, schedule_step, succeeded, retry_seconds, started_at, duration_ms,
           response_status, response_body, error, attempt_id)
  ), durability AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true),
    -- Counted here; the trigger is for what others insert.
    set_config('event_delivery.attempts_counted', 'on', true)
  ), recorded AS (
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
    FROM result r, durability
    WHERE d.id = r.delivery_id AND d.status = 'PENDING' AND d.attempt_count = r.attempt_number - 1
    RETURNING d.id, d.project_id
  )
  INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status,
                                 response_body, error, succeeded)
  SELECT r.attempt_id, d.project_id, r.delivery_id, r.attempt_number, r.started_at, r.duration_ms, r.response_status,
         r.response_body, r.error, r.succeeded
  FROM recorded d JOIN result r ON r.delivery_id = d.id
  RETURNING delivery_id`;

/**
 * Writes attempts of stored deliveries and what they mean for those, in one statement.
 *
 * @returns the outcomes that counted; the others came too late
 */
export async function recordAttempts(sql: Sql, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  const { rows } = await sql.query<{ delivery_id: string }>({
    name: 'record-attempts',
    text: RECORD_SQL,
    values: [
      column(({ job }) => job.deliveryId),
      column(({ job }) => job.attemptNumber),
      column(({ job }) => job.scheduleStep),
      ...attemptColumns(outcomes),
    ],
  });
  const counted = new Set(rows.map(({ delivery_id }) => delivery_id));
  return outcomes.filter(({ job }) => counted.has(job.deliveryId));
}
