import { TENANT_SQL } from '@/lib/orgs/orgs-sql';
import { bigint, uuid, uuids } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** A request to send for a customer that had begun before the customer was deleted has ended by then (lib/platform/database-limits.ts). */
const REQUESTS_END = `interval '30 seconds'`;

/** Customers of a project that one round looks at. */
const OF_A_PROJECT = 20;

/**
 * Selects customers that are deleted and not removed yet: one of each tenant before the second of any. It looks at a bounded number of
 * each project: hundreds of thousands may have been deleted.
 */
export const selectDeletedCustomers = statement(
  `WITH RECURSIVE project AS (
     (SELECT project_id FROM customers WHERE deleted_at IS NOT NULL ORDER BY project_id LIMIT 1)
     UNION ALL
     SELECT (SELECT project_id FROM customers WHERE deleted_at IS NOT NULL AND project_id > p.project_id ORDER BY project_id LIMIT 1)
     FROM project p WHERE p.project_id IS NOT NULL
   ), owned AS MATERIALIZED (
     SELECT p.id, ${TENANT_SQL} AS tenant_id
     FROM project JOIN projects p ON p.id = project.project_id JOIN organizations o ON o.id = p.organization_id
   )
   SELECT d.id, owned.id AS project_id FROM owned CROSS JOIN LATERAL (
     SELECT id FROM customers WHERE project_id = owned.id AND deleted_at < now() - ${REQUESTS_END}
     ORDER BY deleted_at LIMIT ${OF_A_PROJECT}) d
   ORDER BY row_number() OVER (PARTITION BY owned.tenant_id ORDER BY d.id), random() LIMIT $limit`,
  { params: { limit: bigint }, columns: { id: uuid, project_id: uuid } },
);

const OF_CUSTOMER = { project: uuid, customer: uuid };

/** Selects a batch of the events of a customer above an id. */
export const selectEventsOf = statement(
  `SELECT id FROM events WHERE customer_id = $customer AND id > $above AND project_id = $project ORDER BY customer_id, id LIMIT $limit`,
  { params: { ...OF_CUSTOMER, above: uuid, limit: bigint }, columns: { id: uuid } },
);

/** Deletes the outbox rows of events. Waits for a worker that stores deliveries of one: after this, no other can be added. */
export const deleteOutboxOf = statement(
  `DELETE FROM outbox WHERE project_id = $project AND id = ANY(ARRAY(
     SELECT id FROM outbox WHERE event_id = ANY($events) ORDER BY id FOR UPDATE))`,
  { params: { project: uuid, events: uuids } },
);

/** Deletes a batch of the deliveries of events, except those that somebody holds. */
export const deleteDeliveriesOf = statement(
  `DELETE FROM deliveries WHERE project_id = $project AND id = ANY(ARRAY(
     SELECT id FROM deliveries WHERE event_id = ANY($events) LIMIT $limit FOR UPDATE SKIP LOCKED))
   RETURNING id`,
  { params: { project: uuid, events: uuids, limit: bigint }, columns: { id: uuid } },
);

/** Deletes those of some events that have no deliveries. */
export const deleteEvents = statement(
  `DELETE FROM events e WHERE project_id = $project AND id = ANY($events)
     AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id)`,
  { params: { project: uuid, events: uuids } },
);

/** Returns a row if a customer has an event, or a delivery to one of its endpoints. */
export const findRemainingOf = statement(
  `(SELECT FROM events WHERE customer_id = $customer AND project_id = $project LIMIT 1)
   UNION ALL (SELECT FROM deliveries WHERE customer_id = $customer AND project_id = $project LIMIT 1)`,
  { params: OF_CUSTOMER },
);

/** Deletes the endpoints of a customer. */
export const deleteEndpointsOf = statement(
  'DELETE FROM endpoints WHERE customer_id = $customer AND project_id = $project AND deleted_at IS NOT NULL',
  { params: OF_CUSTOMER },
);

/** Deletes the row of a deleted customer. */
export const deleteCustomer = statement(
  'DELETE FROM customers WHERE id = $customer AND project_id = $project AND deleted_at IS NOT NULL',
  { params: OF_CUSTOMER },
);
