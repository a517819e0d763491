import { newIdAt } from '@/lib/platform/ids';
import type { Workspace } from './api';
import { runSql } from './run-sql';

/** Inserts events of a workspace, each with a delivery to its endpoint that has failed. @returns the ids of the deliveries, sorted */
export async function insertFailedDeliveries(
  { projectId, endpointId }: Workspace,
  count: number,
  { agoMs = 60_000 } = {},
): Promise<string[]> {
  const at = new Date(Date.now() - agoMs);
  const ids = Array.from({ length: count }, () => newIdAt(at)).sort();
  await runSql(
    `WITH e AS (
       INSERT INTO events (id, project_id, type, payload, created_at)
       SELECT gen_random_uuid(), $2, 'order.paid', '{"type":"order.paid","timestamp":"2026-01-31T09:30:00.000Z","data":{}}', $4
       FROM unnest($1::uuid[]) RETURNING id
     ), n AS (SELECT id, row_number() OVER () AS nth FROM e)
     INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, last_response_status, last_error,
                             last_attempt_at, completed_at, created_at)
     SELECT d.id, $2, n.id, $3, 'FAILED', 1, 503, 'Answered with status 503', $4, $4, $4
     FROM unnest($1::uuid[]) WITH ORDINALITY AS d(id, nth) JOIN n USING (nth)`,
    [ids, projectId, endpointId, at],
  );
  return ids;
}
