import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { KEPT_HOURS } from '@/lib/stats/kept-policy';
import type { RetentionData } from './retention-data';

const HISTOGRAM = `array_fill(0, ARRAY[20]) || ARRAY[5, 9, 4, 2, 1, 0, 1, 0, 0, 1]`;

/** Adds endpoints with every hour and day that is kept, a tenth of them with failures, and each minute of the project. */
export async function fillEndpointStats({ projectId }: RetentionData, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const run = (sql: string, values: unknown[]) => sqlWithTimeout(LONG_STATEMENT_MS).query(sql, values);
  await run(
    `INSERT INTO endpoints (id, project_id, url) SELECT id, $2, 'https://receiver.example/' || id FROM unnest($1::uuid[]) AS e(id)`,
    [ids, projectId],
  );
  const periods = [
    ['HOUR', 'hour', KEPT_HOURS.targetHours],
    ['DAY', 'day', KEPT_HOURS.targetDays / 24],
  ] as const;
  for (const [period, unit, kept] of periods) {
    await run(
      `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors, durations, latencies)
       SELECT $2, $3::"StatPeriod", e.id, date_trunc($4, now()) - n * ('1 ' || $4)::interval, 22, (e.nth % 10 = 0)::int,
              ${HISTOGRAM}, ${HISTOGRAM}
       FROM unnest($1::uuid[]) WITH ORDINALITY AS e(id, nth), generate_series(0, $5::int - 1) n`,
      [ids, projectId, period, unit, kept],
    );
  }
  await run(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors, durations, latencies)
     SELECT $1, 'MINUTE', $1, date_trunc('minute', now()) - n * interval '1 minute', 22, 1, ${HISTOGRAM}, ${HISTOGRAM}
     FROM generate_series(0, ${KEPT_HOURS.minutes * 60}) n ON CONFLICT DO NOTHING`,
    [projectId],
  );
  return ids;
}
