import { bigint, integer, jsonOf, nullable, text, timestamp, uuid, uuids } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

const COLUMNS = {
  id: uuid,
  uid: text,
  name: nullable(text),
  metadata: jsonOf<Record<string, string>>(),
  endpoint_count: nullable(integer),
  created_at: timestamp,
  updated_at: timestamp,
};
export type CustomerRow = RowOf<typeof COLUMNS>;

/** Shows the customers of a query. The number of their endpoints is bounded. */
const shown = (customers: string) => `
  SELECT c.id, c.uid, c.name, c.metadata, c.created_at, c.updated_at,
         (SELECT count(*)::int FROM endpoints e WHERE e.customer_id = c.id AND e.deleted_at IS NULL) AS endpoint_count
  FROM (${customers}) c`;

/** Selects a page of the customers of a project, newest first: those before an id. */
export const selectCustomers = statement(
  `${shown(`SELECT * FROM customers
     WHERE (project_id, id) < ($project, $before) AND project_id = $project AND deleted_at IS NULL
     ORDER BY project_id DESC, id DESC LIMIT $limit`)} ORDER BY c.id DESC`,
  { params: { project: uuid, before: uuid, limit: bigint }, columns: COLUMNS },
);

/** Customers that a search finds at most, of each of uid and name. */
const MAX_FOUND = 1_000;
/** SQL for a column, sorted by bytes, that begins with a text. The last character sorts after all that may follow. */
export const beginsWith = (column: string, beginning: string) =>
  `${column} >= ${beginning} AND ${column} < ${beginning} || chr(1114111)`;

/** Selects a page of the customers of a project whose uid or name begins with a text. OFFSET 0: a join would read all customers by id. */
export const searchCustomers = statement(
  `WITH found AS MATERIALIZED (
     (SELECT id FROM customers WHERE project_id = $project AND deleted_at IS NULL AND ${beginsWith('uid', '$text')}
      ORDER BY uid LIMIT ${MAX_FOUND})
     UNION
     (SELECT id FROM customers WHERE project_id = $project AND deleted_at IS NULL AND name IS NOT NULL
        AND ${beginsWith('lower(name) COLLATE "C"', 'lower($text)')}
      ORDER BY lower(name) COLLATE "C" LIMIT ${MAX_FOUND}))
   ${shown(`SELECT x.* FROM (SELECT id FROM found WHERE id < $before ORDER BY id DESC LIMIT $limit) page
     CROSS JOIN LATERAL (SELECT * FROM customers WHERE id = page.id OFFSET 0) x`)}
   ORDER BY c.id DESC`,
  { params: { project: uuid, text, before: uuid, limit: bigint }, columns: COLUMNS },
);

const NAMED = `project_id = $project AND deleted_at IS NULL`;

/** Finds a customer of a project by its id or uid. */
export const findCustomer = statement(
  `${shown(`SELECT * FROM customers WHERE ${NAMED} AND id = $customer
     UNION ALL SELECT * FROM customers WHERE ${NAMED} AND uid = $uid`)}`,
  { params: { project: uuid, customer: nullable(uuid), uid: nullable(text) }, columns: COLUMNS },
);

/** Finds the id and uid of a customer of a project by its id or uid. */
export const findCustomerName = statement(
  `SELECT id, uid FROM customers WHERE ${NAMED} AND id = $customer
   UNION ALL SELECT id, uid FROM customers WHERE ${NAMED} AND uid = $uid`,
  { params: { project: uuid, customer: nullable(uuid), uid: nullable(text) }, columns: { id: uuid, uid: text } },
);

/** Selects the uids of customers, also of those that are deleted and not removed yet. */
export const selectUids = statement(
  'SELECT id, uid FROM customers WHERE project_id = $project AND id = ANY($customers)',
  {
    params: { project: uuid, customers: uuids },
    columns: { id: uuid, uid: text },
  },
);

/** Counts a customer that is made or deleted, and returns how many there are. The project is locked. */
export const countCustomer = statement(
  `INSERT INTO customer_counts AS c (project_id, customers) VALUES ($project, $change)
   ON CONFLICT (project_id) DO UPDATE SET customers = c.customers + excluded.customers RETURNING customers AS count`,
  { params: { change: integer, project: uuid }, columns: { count: integer } },
);

/** Finds how many customers a project has; no row for none. */
export const findCustomerCount = statement(
  'SELECT customers AS count FROM customer_counts WHERE project_id = $project',
  {
    params: { project: uuid },
    columns: { count: integer },
  },
);

/** Locks a live customer. */
export const lockCustomer = statement(`SELECT FROM customers WHERE ${NAMED} AND id = $customer FOR NO KEY UPDATE`, {
  params: { project: uuid, customer: uuid },
});

/**
 * Deletes a customer with its subscriptions, endpoints and portal sessions, as if each was deleted. Workers remove the rows some time after it, so it counts
 * from now, and not from the start of a transaction that has waited for the lock of the project.
 */
export const markDeleted = statement(
  `WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at), gone AS (
     UPDATE customers SET deleted_at = clock.at, updated_at = now() FROM clock WHERE ${NAMED} AND id = $customer RETURNING id
   ), unsubscribed AS (
     DELETE FROM subscriptions WHERE project_id = $project AND customer_id IN (SELECT id FROM gone)
   ), signed_out AS (
     DELETE FROM portal_sessions WHERE project_id = $project AND customer_id IN (SELECT id FROM gone)
   ), ended AS (
     UPDATE endpoints SET deleted_at = now(), updated_at = now(), enabled = false, headers_encrypted = NULL, secret_encrypted = NULL,
            previous_secret_encrypted = NULL, previous_secret_expires_at = NULL
     WHERE project_id = $project AND customer_id IN (SELECT id FROM gone) AND deleted_at IS NULL
   )
   SELECT FROM gone`,
  { params: { project: uuid, customer: uuid } },
);
