import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { countOrganizationRows } from './count-organization-rows';

/** What an organization has of one class of data. */
export interface OwnRows {
  rows: number;
  isAtLeast: boolean;
  oldestAt: Date | null;
}

/** Of the rows with the lowest ids the oldest is looked for: an id need not be as old as its row, which may be imported. */
const LOOKED_AT = 1_000;

/** Events, incoming events, or requests of tunnels. */
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

/** Outbox rows of the organization's projects that were given up; their age counts from then. */
export async function findOwnDeadOutbox(organizationId: string): Promise<OwnRows> {
  const { rows } = await database().query<{ rows: number; at: Date | null }>(
    `SELECT count(*)::int AS rows, min(o.dead_at) AS at FROM outbox o JOIN projects p ON p.id = o.project_id
     WHERE o.status = 'DEAD' AND p.organization_id = $1`,
    [organizationId],
  );
  return { rows: rows[0]?.rows ?? 0, isAtLeast: false, oldestAt: rows[0]?.at ?? null };
}

/** Attempts are found through their deliveries, the oldest first: they have no index of their own by project. */
const WALKED_DELIVERIES = 10_000;
/** A delivery is tried for days, and its id is as old as its beginning. */
const SLACK_DAYS = 8;

/**
 * $1 organization, $2 deliveries walked, $3 lowest id, $4 succeeded. The times of a delivery bound those of its attempts,
 * so that one day of each branch is opened for it and not all hundred; few deliveries are looked up without that bound,
 * which rows made by an import need not keep. The aggregate keeps the look-up a loop: joined, the planner scans the table.
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

/** Attempts of the organization's deliveries, the successful or the failed ones, which are kept for `days`. */
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
