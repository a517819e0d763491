import type { Outcome } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';

/*
 * What the statements that record attempts have in common. Each has a CTE `result` with its parameters, and a CTE `recorded` with
 * the deliveries whose result counts.
 */

/**
 * The commit does not wait for the disk: if a crash of the database loses a record, the delivery is sent again, at least once as
 * promised. The statements count the attempts themselves; a trigger counts those that others insert.
 */
export const SETTINGS_SQL = `settings AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true), set_config('event_delivery.attempts_counted', 'on', true))`;

/** Inserts the attempts of `recorded` deliveries. */
export const insertAttemptsSql = (attemptNumber: string) => `
  INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status,
                                 response_body, error, succeeded)
  SELECT r.attempt_id, d.project_id, r.delivery_id, ${attemptNumber}, r.started_at, r.duration_ms, r.response_status,
         r.response_body, r.error, r.succeeded
  FROM recorded d JOIN result r ON r.delivery_id = d.id
  RETURNING delivery_id`;

/**
 * Reads the parameters of attempts: succeeded, seconds until the retry, start, duration in milliseconds, status, body, error, and a
 * new id for each attempt.
 */
export function attemptColumns(outcomes: readonly Outcome[]): unknown[][] {
  const column = <T>(read: (outcome: Outcome) => T) => outcomes.map(read);
  return [
    column(({ result }) => result.succeeded),
    column(({ retryMs }) => (retryMs === null ? null : retryMs / 1000)),
    column(({ result }) => result.startedAt.toISOString()),
    column(({ result }) => result.durationMs),
    column(({ result }) => result.responseStatus),
    column(({ result }) => result.responseBody),
    column(({ result }) => result.error),
    column(() => newId()),
  ];
}

/** Runs a statement that records outcomes. @returns the outcomes that were recorded; the others were too late */
export async function runRecord(
  sql: Sql,
  outcomes: readonly Outcome[],
  statement: { name: string; text: string; values: unknown[] },
): Promise<Outcome[]> {
  const { rows } = await sql.query<{ delivery_id: string }>(statement);
  const recorded = new Set(rows.map(({ delivery_id }) => delivery_id));
  return outcomes.filter(({ job }) => recorded.has(job.deliveryId));
}
