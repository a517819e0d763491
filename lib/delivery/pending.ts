/*
 * Pending deliveries have an index by target and one by time. Each has a condition of its own, which is always true, and serves only the
 * statements that repeat it. While few deliveries are pending, the planner estimates one row for either: it read all due deliveries for
 * each target, and all targets for each poll.
 */

/** SQL that selects pending deliveries by time, in `next_attempt_at`. */
export const PENDING_BY_TIME = `status = 'PENDING' AND created_at > '-infinity'`;

/** SQL that selects pending deliveries by `TARGET_ID`, and then by time. */
export const PENDING_BY_TARGET = `status = 'PENDING' AND created_at < 'infinity'`;

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
