import { boolean, nullable, texts, uuid, uuids } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Subscribes an endpoint to event types. They are sent as two arrays: Prisma takes the thread for a second to write a statement with the
 * columns of thousands of rows.
 */
export const insertSubscriptions = statement(
  `INSERT INTO subscriptions (id, project_id, endpoint_id, customer_id, receives_customer_events, event_type)
   SELECT s.id, $project::uuid, $endpoint::uuid, $customer::uuid, $receivesCustomerEvents::boolean, s.event_type
   FROM unnest($ids::uuid[], $eventTypes::text[]) s (id, event_type)`,
  {
    params: {
      ids: uuids,
      project: uuid,
      endpoint: uuid,
      customer: nullable(uuid),
      receivesCustomerEvents: boolean,
      eventTypes: texts,
    },
  },
);
