import { byIndex } from '@/lib/platform/sql/bounded-scan';
import {
  bigint,
  boolean,
  float,
  integer,
  nullable,
  timestamp,
  uuid,
  writtenTimestamp,
} from '@/lib/platform/sql/column';
import { type Columns, statement } from '@/lib/platform/sql/statement';

const COUNT = { rows: integer, sum: integer };

/**
 * Counts an organization's rows and sums an expression over them, project by project through the index.
 */
const countUpTo = <P extends Columns>(table: string, summed: string, params: P) =>
  statement(
    `SELECT count(*)::int AS rows, coalesce(sum(counted.value), 0)::int AS sum
     FROM (SELECT x.value FROM projects p
           CROSS JOIN LATERAL (SELECT ${summed} AS value FROM ${table}
             WHERE ${byIndex('project_id', 'p.id')} ORDER BY project_id, id LIMIT $limit) x
           WHERE p.organization_id = $organization LIMIT $limit) counted`,
    { params: { ...params, limit: bigint, organization: uuid }, columns: COUNT },
  );

/** Counts the rows of an organization, up to a limit. `sum` is 0. */
export const countRows = {
  events: countUpTo('events', '0', {}),
  incoming_events: countUpTo('incoming_events', '0', {}),
  tunnel_request_log: countUpTo('tunnel_request_log', '0', {}),
};

/**
 * Stored attempts of a delivery, by the times up to which successes and failures are gone. `stored_attempts` is not lowered
 * when a partition is dropped, so by itself it is several times too high for successes, which are kept for the shorter time.
 * The last attempt of a succeeded delivery is its success; its earlier failures are assumed to be as old.
 */
const STORED_SQL = `
  CASE WHEN status = 'SUCCEEDED' AND stored_attempts > 0
       THEN (coalesce(last_attempt_at, 'infinity') >= $succeededGoneUntil)::int
            + CASE WHEN coalesce(last_attempt_at, 'infinity') >= $failedGoneUntil THEN stored_attempts - 1 ELSE 0 END
       WHEN coalesce(last_attempt_at, 'infinity') >= $failedGoneUntil THEN stored_attempts
       ELSE 0 END`;

/** Counts the deliveries of an organization, up to a limit, and estimates in `sum` how many of their attempts are stored. */
export const countDeliveries = countUpTo('deliveries', STORED_SQL, {
  succeededGoneUntil: writtenTimestamp,
  failedGoneUntil: writtenTimestamp,
});

/** In each project, the oldest of so many rows with the lowest ids: imported rows may have ids of another time. */
const LOOKED_AT = 100;

const findOldestIn = (table: string) =>
  statement(
    `SELECT min(x.created_at) AS at FROM projects p
     CROSS JOIN LATERAL (
       SELECT created_at FROM ${table} WHERE ${byIndex('project_id', 'p.id')} ORDER BY project_id, id LIMIT ${LOOKED_AT}) x
     WHERE p.organization_id = $organization`,
    { params: { organization: uuid }, columns: { at: nullable(timestamp) } },
  );

/** Finds the time of the oldest row of an organization. */
export const findOldest = {
  events: findOldestIn('events'),
  incoming_events: findOldestIn('incoming_events'),
  tunnel_request_log: findOldestIn('tunnel_request_log'),
};

/** Counts the dead outbox rows of an organization's projects, and finds when the first of them was given up. */
export const countDeadOutbox = statement(
  `SELECT count(*)::int AS rows, min(o.dead_at) AS at FROM outbox o JOIN projects p ON p.id = o.project_id
   WHERE o.status = 'DEAD' AND p.organization_id = $organization`,
  { params: { organization: uuid }, columns: { rows: integer, at: nullable(timestamp) } },
);

/**
 * Counts the attempts of an organization's oldest deliveries, and finds the oldest. `$walked` is how many deliveries, shared between its
 * projects. The times of a delivery bound those of its attempts, so that one day of each branch is read and not a hundred. For few
 * deliveries this bound is not used, because imported rows may not respect it. The aggregate keeps the lookup a loop: for a join the
 * planner scans the table.
 */
export const countAttempts = statement(
  `
  WITH own AS MATERIALIZED (SELECT id FROM projects WHERE organization_id = $organization),
  share AS MATERIALIZED (SELECT ceil($walked::float8 / greatest(count(*), 1))::int AS rows FROM own),
  walked AS MATERIALIZED (
    SELECT d.* FROM own p
    CROSS JOIN LATERAL (
      SELECT id, created_at, last_attempt_at, stored_attempts, row_number() OVER () AS nth FROM (
        SELECT * FROM deliveries WHERE ${byIndex('project_id', 'p.id')} AND (project_id, id) >= (p.id, $lowestId)
        ORDER BY project_id, id LIMIT (SELECT rows FROM share)) oldest
    ) d
  ), extent AS MATERIALIZED (
    SELECT count(*) <= 500 AS is_small, coalesce(max(nth) >= (SELECT rows FROM share), false) AS is_cut FROM walked
  )
  SELECT coalesce(sum(a.rows), 0)::int AS rows, min(a.oldest) AS at, (SELECT is_cut FROM extent) AS is_at_least
  FROM walked w CROSS JOIN LATERAL (
    SELECT count(*) AS rows, min(created_at) AS oldest FROM delivery_attempts
    WHERE delivery_id = w.id AND succeeded = $succeeded
      AND created_at >= CASE WHEN (SELECT is_small FROM extent) THEN '-infinity' ELSE w.created_at - interval '1 day' END
      AND created_at <= CASE WHEN (SELECT is_small FROM extent) THEN 'infinity'
                        ELSE coalesce(w.last_attempt_at + interval '1 day', 'infinity') END
  ) a
  WHERE w.stored_attempts > 0`,
  {
    params: { organization: uuid, walked: float, lowestId: uuid, succeeded: boolean },
    columns: { rows: integer, at: nullable(timestamp), is_at_least: boolean },
  },
);
