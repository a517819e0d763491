import type { Workspace } from './api';
import { runSql } from './run-sql';

/** Writes 30 days of statistics with a daily rhythm: the endpoint fails for four hours, ten hours ago. */
export async function writeHistory({ projectId, endpointId }: Workspace): Promise<void> {
  await runSql(
    `WITH hour AS (
       SELECT starts_at, n, (400 + 320 * sin((n % 24) * pi() / 12))::int AS busy,
              CASE WHEN n BETWEEN 7 AND 10 THEN 60 ELSE n % 5 END AS failing
       FROM (SELECT date_trunc('hour', now()) - n * interval '1 hour' AS starts_at, n FROM generate_series(0, 719) n) h
     ), place AS (
       SELECT h.*, p.period, p.subject_id, p.part, p.starts_at AS at FROM hour h
       CROSS JOIN LATERAL (VALUES
         ('HOUR', $1::uuid, 1.0, h.starts_at), ('HOUR', $2::uuid, 0.5, h.starts_at)) p(period, subject_id, part, starts_at)
       UNION ALL
       SELECT h.*, 'MINUTE', $1::uuid, 1.0 / 60, h.starts_at + m * interval '1 minute'
       FROM hour h, generate_series(0, 59) m WHERE h.n < 48 AND h.starts_at + m * interval '1 minute' < now()
     )
     INSERT INTO stats (project_id, period, subject_id, starts_at, events, incoming_verified, incoming_unsigned, incoming_rejected,
                        succeeded, server_errors, timeouts, deliveries_failed, durations, latencies)
     SELECT $1::uuid, period::"StatPeriod", subject_id, at, (busy * part)::int, (busy * part / 3)::int, 0,
            (failing * part / 9)::int, ceil(busy * part)::int, (failing * part)::int, (failing * part / 4)::int,
            (failing * part / 8)::int,
            array_fill(0, ARRAY[20]) || ARRAY[(busy * part)::int, (busy * part / 2)::int + 1, n % 7, (busy * part / 30)::int],
            array_fill(0, ARRAY[22]) || ARRAY[(busy * part)::int, (busy * part / 2)::int + 1, n % 9, (busy * part / 20)::int]
     FROM place ON CONFLICT DO NOTHING`,
    [projectId, endpointId],
  );
}
