import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { countOrganizationRows } from './count-organization-rows';

/** An organization's rows of one class of data. */
export interface OwnRows {
  rows: number;
  isAtLeast: boolean;
  oldestAt: Date | null;
}

/** The oldest of so many rows with the lowest ids: imported rows may have ids of another time. */
const LOOKED_AT = 1_000;

/** Counts events, incoming events or tunnel requests, and finds the oldest. */
export async function findOwnRows(
  organizationId: string,
  table: 'events' | 'incoming_events' | 'tunnel_request_log',
): Promise<OwnRows> {
  const [{ rows, isAtLeast }, oldest] = await Promise.all([
    countOrganizationRows(organizationId, table),
    database().query<{ at: Date | null }>(
      `SELECT min(x.created_at) AS at FROM projects p
       CROSS JOIN LATERAL (SELECT created_at FROM ${table} WHERE project_id = p.id ORDER BY id LIMIT ${LOOKED_AT}) x
       WHERE p.organization_id = $1`,
      [organizationId],
    ),
  ]);
  return { rows, isAtLeast, oldestAt: oldest.rows[0]?.at ?? null };
}

/** Counts the dead outbox rows of the organization's projects. Their age begins at `dead_at`. */
export async function findOwnDeadOutbox(organizationId: string): Promise<OwnRows> {
  const { rows } = await database().query<{ rows: number; at: Date | null }>(
    `SELECT count(*)::int AS rows, min(o.dead_at) AS at FROM outbox o JOIN projects p ON p.id = o.project_id
     WHERE o.status = 'DEAD' AND p.organization_id = $1`,
    [organizationId],
  );
  return { rows: rows[0]?.rows ?? 0, isAtLeast: false, oldestAt: rows[0]?.at ?? null };
}

/** Attempts have no index by project: they are found by their deliveries, the oldest first. */
const WALKED_DELIVERIES = 10_000;
/** A delivery is tried for days, and its id has the time of its creation. */
const SLACK_DAYS = 8;

/**
 * $1 organization, $2 deliveries walked, $3 lowest id, $4 succeeded. The times of a delivery bound those of its attempts, so
 * that one day of each branch is read and not a hundred. For few deliveries this bound is not used, because imported rows
 * may not respect it. The aggregate keeps the look-up a loop: for a join the planner scans the table.
 */
const ATTEMPTS_SQL = `
  WITH walked AS MATERIALIZED (
    SELECT d.id, d.created_at, d.last_attempt_at FROM projects p
    CROSS JOIN LATERAL (
      SELECT id, created_at, last_attempt_at FROM deliveries
      WHERE project_id = p.id AND id >= $3 AND stored_attempts > 0 ORDER BY id LIMIT $2
    ) d
    WHERE p.organization_id = $1 ORDER BY d.id LIMIT $2
  ), extent AS MATERIALIZED (SELECT count(*)::int AS deliveries, count(*) <= 500 AS is_small FROM walked)
  SELECT coalesce(sum(a.rows), 0)::int AS rows, min(a.oldest) AS at, (SELECT deliveries FROM extent) AS deliveries
  FROM walked w CROSS JOIN LATERAL (
    SELECT count(*) AS rows, min(created_at) AS oldest FROM delivery_attempts
    WHERE delivery_id = w.id AND succeeded = $4
      AND created_at >= CASE WHEN (SELECT is_small FROM extent) THEN '-infinity' ELSE w.created_at - interval '1 day' END
      AND created_at <= CASE WHEN (SELECT is_small FROM extent) THEN 'infinity'
                        ELSE coalesce(w.last_attempt_at + interval '1 day', 'infinity') END
  ) a`;

/** Counts the successful or the failed attempts of the organization's deliveries, which are kept for `days`. */
export async function findOwnAttempts(
  organizationId: string,
  succeeded: boolean,
  days: number,
  now: Date,
): Promise<OwnRows> {
  const lowestId = lowestIdAt(addMs(now, -(days + SLACK_DAYS) * DAY_MS));
  const { rows } = await database().query<{ rows: number; at: Date | null; deliveries: number }>(ATTEMPTS_SQL, [
    organizationId,
    WALKED_DELIVERIES,
    lowestId,
    succeeded,
  ]);
  const found = rows[0];
  return {
    rows: found?.rows ?? 0,
    isAtLeast: found?.deliveries === WALKED_DELIVERIES,
    oldestAt: found?.at ?? null,
  };
}
