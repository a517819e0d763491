import { TURN_ID } from '@/lib/events/turn-key';

/*
 * Pending deliveries have an index by target, one by project and target, and one by time. Each has a condition of its own, which is always true, and serves only the
 * statements that repeat it. While few deliveries are pending, the planner estimates one row for either: it read all due deliveries for
 * each target, and all targets for each poll.
 */

/** SQL that selects pending deliveries by time, in `next_attempt_at`. */
export const PENDING_BY_TIME = `status = 'PENDING' AND created_at > '-infinity'`;

/**
 * SQL that selects a pending delivery `d`, found by its id, after so many attempts. CASE hides the status from the planner: while its
 * statistics know no pending deliveries, it would read the index of all that have not succeeded.
 */
export const isPendingAfter = (attempts: string) =>
  `CASE WHEN d.status = 'PENDING' THEN d.attempt_count = ${attempts} END`;

/** SQL that selects pending deliveries by `TARGET_ID`, and then by time. */
export const PENDING_BY_TARGET = `status = 'PENDING' AND created_at < 'infinity'`;

/** SQL that selects pending deliveries by project, then by `TARGET_ID`, and then by time. */
export const PENDING_BY_PROJECT = `status = 'PENDING' AND created_at <> 'infinity'`;

/** A delivery that was not sent yet: its row and entries of indexes. */
const DELIVERY_BYTES = 512;

/** A CTE that counts the deliveries of the CTE `stored` for the stored bytes of their owners. */
export const STORED_BYTES_SQL = `counted AS (
    INSERT INTO stat_batches (project_ids, kinds, bytes)
    SELECT array_agg(project_id), array_agg('DELIVERY_STORED'::"StatKind"), array_agg(bytes)
    FROM (SELECT project_id, (count(*) * ${DELIVERY_BYTES})::int AS bytes FROM stored GROUP BY project_id) s
    HAVING count(*) > 0
  )`;

/** SQL for the endpoint or destination of a delivery. */
export const TARGET_ID = 'coalesce(endpoint_id, destination_id)';

/** SQL that selects the outbox rows of events and incoming events whose deliveries are not stored. */
export const IN_OUTBOX = `status = 'PENDING' AND kind <> 'MAIL'`;

/** Less than every id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL that selects the turns of a project with rows in the outbox, by their `id`, with `customer_id`. It reads one index entry for each.
 * @param more `after`: SQL for the id of the turn before the first one; `condition`: SQL for the rows
 */
export function turnsOf(
  project: string,
  most: string,
  { after = `'${LOWEST_ID}'`, condition = 'true' }: { after?: string; condition?: string } = {},
): string {
  const next = (last: string) => `
    SELECT ${TURN_ID} AS id, customer_id FROM outbox
    WHERE ${IN_OUTBOX} AND project_id = ${project} AND ${TURN_ID} > ${last} AND ${condition}
    ORDER BY ${TURN_ID} LIMIT 1`;
  return `
  WITH RECURSIVE own_turn AS (
    (${next(after)})
    UNION ALL
    SELECT following.* FROM own_turn CROSS JOIN LATERAL (${next('own_turn.id')}) following
  )
  SELECT * FROM own_turn LIMIT ${most}`;
}

/**
 * SQL for a recursive query `project`: the projects with waiting rows of a table, by id, after the given one; the last is null. It reads one
 * index entry for each.
 */
export function projectsWith(table: 'outbox' | 'deliveries', condition: string, after: string): string {
  const next = (last: string) => `
    SELECT project_id FROM ${table} WHERE ${condition} AND project_id > ${last} ORDER BY project_id LIMIT 1`;
  return `project AS ((${next(after)}) UNION ALL SELECT (${next('p.project_id')}) FROM project p WHERE p.project_id IS NOT NULL)`;
}
