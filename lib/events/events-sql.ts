import type { Details } from '@/lib/platform/sql/bounded-scan';
import { boolean, enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

const LISTED = {
  ...{ id: uuid, type: text, created_at: timestamp },
  /** Null once the deliveries are stored. */
  outbox_status: nullable(enumOf<'PENDING' | 'DEAD'>('OutboxStatus')),
  ...{ queued: integer, retrying: integer, succeeded: integer, failed: integer },
};

/** What lists show of events, with the counts of their deliveries. */
export const EVENT_ROWS: Details<typeof LISTED> = {
  sql: `
   SELECT e.id, e.type, e.created_at, d.queued, d.retrying, d.succeeded, d.failed,
     (SELECT o.status FROM outbox o WHERE o.event_id = e.id LIMIT 1) AS outbox_status
   FROM found e
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE status = 'PENDING' AND attempt_count = 0)::int AS queued,
            count(*) FILTER (WHERE status = 'PENDING' AND attempt_count > 0)::int AS retrying,
            count(*) FILTER (WHERE status = 'SUCCEEDED')::int AS succeeded,
            count(*) FILTER (WHERE status = 'FAILED')::int AS failed
     FROM deliveries WHERE event_id = e.id
   ) d`,
  columns: LISTED,
};

/** Selects the types of the events of project $1, in order; $2 how many. Reads one index entry per type, however many events have it. */
export const selectEventTypes = statement(
  `WITH RECURSIVE seen AS (
     (SELECT type FROM events WHERE project_id = $1 ORDER BY type LIMIT 1)
     UNION ALL
     SELECT (SELECT type FROM events WHERE project_id = $1 AND type > seen.type ORDER BY type LIMIT 1)
     FROM seen WHERE seen.type IS NOT NULL
   )
   SELECT type FROM seen WHERE type IS NOT NULL LIMIT $2`,
  { type: text },
);

/** Finds the event of project $1 with Idempotency-Key $2. $3 the hash of the body that repeats the key. */
export const findFirstEvent = statement(
  `SELECT id, type, created_at, body_hash = $3 AS same_body FROM events
   WHERE project_id = $1 AND idempotency_key = $2`,
  { id: uuid, type: text, created_at: timestamp, same_body: nullable(boolean) },
);
export type FirstEvent = RowOf<typeof findFirstEvent.columns>;

export const findPayload = statement('SELECT payload FROM events WHERE project_id = $1 AND id = $2', { payload: text });
