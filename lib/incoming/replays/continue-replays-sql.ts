import { float, nullable, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** Locks the running replay that has waited longest for its next batch. Other workers skip it. */
export const lockDueReplay = statement(
  `SELECT id, project_id, source_id, destination_id, created_from, created_to, last_incoming_event_id
   FROM incoming_event_replays WHERE status = 'RUNNING' AND next_batch_at <= now()
   ORDER BY next_batch_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
  {
    id: uuid,
    project_id: uuid,
    source_id: uuid,
    destination_id: nullable(uuid),
    created_from: nullable(timestamp),
    created_to: timestamp,
    last_incoming_event_id: nullable(uuid),
  },
);
export type ReplayRow = RowOf<typeof lockDueReplay.columns>;

/** Selects the milliseconds, negative when overdue, until the next batch of any replay. */
export const selectNextDue = statement(
  `SELECT extract(epoch FROM min(next_batch_at) - now())::float8 * 1000 AS in_ms
   FROM incoming_event_replays WHERE status = 'RUNNING'`,
  { in_ms: nullable(float) },
);

/** Locks incoming events $1, so that retention does not remove them. */
export const lockEvents = statement(
  'SELECT id FROM incoming_events WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE',
  { id: uuid },
);

/** Moves replay $1 forward by $2 incoming events to cursor $3; the next batch is due in $4 seconds. */
export const advanceReplay = statement(
  `UPDATE incoming_event_replays SET replayed = replayed + $2, last_incoming_event_id = coalesce($3, last_incoming_event_id),
          next_batch_at = now() + make_interval(secs => $4)
   WHERE id = $1`,
);

/** Ends replay $1 with the status $2 and the error $3. */
export const endReplay = statement(
  `UPDATE incoming_event_replays SET status = $2::"ReplayStatus", error = $3, completed_at = now()
   WHERE id = $1 AND status = 'RUNNING'`,
);

/** Repeats the batch of replay $1 in $2 seconds. */
export const rescheduleReplay = statement(
  'UPDATE incoming_event_replays SET next_batch_at = now() + make_interval(secs => $2) WHERE id = $1',
);
