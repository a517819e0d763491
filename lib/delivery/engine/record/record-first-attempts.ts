import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { attemptColumns, insertAttemptsSql, runRecord, SETTINGS_SQL } from './record-statement';
import { deliveryColumns, ENTRIES_SQL, type License } from './store-deliveries';

/*
 * Stores a delivery together with its first attempt, so that most deliveries are written once. Also removes the outbox
 * rows whose deliveries are all stored.
 *
 * Another worker may have stored the delivery meanwhile, after the end of the lease: the first result counts.
 */
const RECORD_SQL = `
  WITH ${ENTRIES_SQL}, result AS (
    SELECT * FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[],
                         $11::float8[], $12::boolean[], $13::float8[], $14::timestamptz[], $15::int[], $16::int[],
                         $17::text[], $18::text[], $19::uuid[])
      AS r(outbox_id, delivery_id, project_id, event_id, incoming_event_id, endpoint_id, destination_id,
           age_seconds, succeeded, retry_seconds, started_at, duration_ms, response_status,
           response_body, error, attempt_id)
  ), ${SETTINGS_SQL}, recorded AS (
    INSERT INTO deliveries AS d (id, project_id, event_id, incoming_event_id, endpoint_id, destination_id, status,
                                 attempt_count, schedule_step, stored_attempts, next_attempt_at, last_attempt_at,
                                 last_response_status, last_error, completed_at, created_at)
    SELECT r.delivery_id, r.project_id, r.event_id, r.incoming_event_id, r.endpoint_id, r.destination_id,
           CASE WHEN r.succeeded THEN 'SUCCEEDED'::"DeliveryStatus" WHEN r.retry_seconds IS NULL THEN 'FAILED' ELSE 'PENDING' END,
           1, 1, 1, CASE WHEN NOT r.succeeded THEN now() + make_interval(secs => r.retry_seconds) END, r.started_at,
           r.response_status, r.error, CASE WHEN r.succeeded OR r.retry_seconds IS NULL THEN now() END,
           now() - make_interval(secs => r.age_seconds)
    FROM settings, result r JOIN licensed ON licensed.id = r.outbox_id
    ORDER BY r.delivery_id
    ON CONFLICT (id) DO UPDATE SET
      status = excluded.status, attempt_count = 1, schedule_step = 1, stored_attempts = d.stored_attempts + 1,
      next_attempt_at = excluded.next_attempt_at, last_attempt_at = excluded.last_attempt_at,
      last_response_status = excluded.last_response_status, last_error = excluded.last_error,
      completed_at = excluded.completed_at
    WHERE d.status = 'PENDING' AND d.attempt_count = 0
    RETURNING d.id, d.project_id
  )${insertAttemptsSql('1')}`;

/**
 * Records first attempts together with their deliveries, in one statement. The caller settles the license after the commit.
 *
 * @returns the outcomes that were recorded; the others were too late
 */
export async function recordFirstAttempts(
  sql: Sql,
  outcomes: readonly Outcome[],
  license: License,
): Promise<Outcome[]> {
  const now = performance.now();
  return runRecord(sql, outcomes, {
    name: 'record-first-attempts',
    text: RECORD_SQL,
    values: [
      ...license.columns,
      ...deliveryColumns((read) => outcomes.map(({ job }) => read(job))),
      outcomes.map(({ job }) => (now - job.leasedAt) / 1000),
      ...attemptColumns(outcomes),
    ],
  });
}
