import { integer } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Counts the due deliveries of the target among $1 that has the most, up to $2. */
export const countDue = statement(
  `SELECT coalesce(max(n), 0)::int AS due FROM unnest($1::uuid[]) AS t(id)
   CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
     SELECT FROM deliveries d WHERE d.status = 'PENDING' AND coalesce(d.endpoint_id, d.destination_id) = t.id
       AND d.next_attempt_at <= now() LIMIT $2) due) counted`,
  { due: integer },
);

/** Wakes the workers when the transaction commits. */
export const notifyDeliveries = statement(`SELECT pg_notify('eds_delivery', '')`);
