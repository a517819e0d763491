import { MAX_DESTINATIONS } from '@/lib/platform/config/variables';
import { boolean, float, nullable, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** Finished replays that are kept per project. */
const MAX_ENDED = 100;

/** Deletes the oldest finished replays of project $1 beyond the number that is kept. */
export const deleteOldReplays = statement(
  `DELETE FROM incoming_event_replays WHERE project_id = $1 AND status <> 'RUNNING' AND id < (
     SELECT id FROM incoming_event_replays WHERE project_id = $1 AND status <> 'RUNNING'
     ORDER BY id DESC OFFSET ${MAX_ENDED - 1} LIMIT 1)`,
);

/** Wakes a worker when the transaction commits. */
export const notifyReplays = statement(`SELECT pg_notify('eds_replay', '')`);

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

/** Finds incoming event $2 of project $1. */
export const findIncomingEvent = statement(
  'SELECT source_id, verified FROM incoming_events WHERE project_id = $1 AND id = $2',
  { source_id: uuid, verified: nullable(boolean) },
);

/** Locks incoming event $2 of project $1, so that retention does not remove it. */
export const lockIncomingEvent = statement(
  'SELECT FROM incoming_events WHERE project_id = $1 AND id = $2 FOR KEY SHARE',
);

/**
 * Selects the destinations of source $2 of project $1 that can get forwards; $3 selects one of them, null all. Locks the project,
 * so that its deletion waits: an erasure would miss deliveries that are added later. The lock excludes other replays too: those that
 * shared it would let a deletion wait for as long as one of them always runs.
 */
export const selectDestinations = statement(
  `SELECT d.id FROM destinations d
   JOIN projects p ON p.id = d.project_id AND p.deleted_at IS NULL
   JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   WHERE d.project_id = $1 AND d.source_id = $2 AND ($3::uuid IS NULL OR d.id = $3) AND d.enabled AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT ${MAX_DESTINATIONS} FOR NO KEY UPDATE OF p`,
  { id: uuid },
);

/**
 * Makes deliveries of project $1 due, and stores missing ones: $2 ids, $3 their incoming events, $4 their destinations. Does
 * not change a delivery that waits for its first attempt. The caller has locked the incoming events.
 */
export const insertForwards = statement(
  `INSERT INTO deliveries AS d (id, project_id, incoming_event_id, destination_id, next_attempt_at)
   SELECT f.id, $1, f.incoming_event_id, f.destination_id, now()
   FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS f(id, incoming_event_id, destination_id)
   ORDER BY f.id
   ON CONFLICT (id) DO UPDATE SET status = 'PENDING', next_attempt_at = now(), schedule_step = 0, completed_at = NULL
   WHERE d.project_id = $1 AND (d.status <> 'PENDING' OR d.attempt_count > 0)`,
);
