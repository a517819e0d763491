import { STORED_BYTES_SQL } from '@/lib/delivery/pending';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import { MAX_DESTINATIONS } from '@/lib/platform/config/variables';
import {
  boolean,
  enumOf,
  float,
  integer,
  knownToBeSet,
  nullable,
  text,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { FORGET_FAILED_TRIES, jobStatements } from '@/lib/platform/sql/job-statements';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** Finished replays that are kept per project. */
const MAX_ENDED = 100;

/** Deletes the oldest finished replays of a project beyond the number that is kept. */
export const deleteOldReplays = statement(
  `DELETE FROM incoming_event_replays WHERE project_id = $project AND status <> 'RUNNING' AND id < (
     SELECT id FROM incoming_event_replays WHERE project_id = $project AND status <> 'RUNNING'
     ORDER BY id DESC OFFSET ${MAX_ENDED - 1} LIMIT 1)`,
  { params: { project: uuid } },
);

/** Wakes a worker when the transaction commits. */
export const notifyReplays = statement(`SELECT pg_notify(${cellChannelSql('eds_replay')}, '')`);

const OWNER = 'coalesce(owner_id, project_id)';

/**
 * Locks the running replay that has waited longest for its next batch, of the owner whose turn follows that of another one. Other
 * workers skip it.
 */
export const lockDueReplay = statement(
  `SELECT id, ${OWNER} AS owner_id, project_id, (SELECT organization_id FROM projects p WHERE p.id = project_id) AS organization_id, source_id, destination_id, created_from, created_to, last_incoming_event_id, failed_tries
   FROM incoming_event_replays WHERE status = 'RUNNING' AND next_batch_at <= now()
   ORDER BY (${OWNER} > $after) IS TRUE DESC, ${OWNER}, next_batch_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
  {
    params: { after: nullable(uuid) },
    columns: {
      id: uuid,
      owner_id: nullable(uuid),
      project_id: uuid,
      organization_id: knownToBeSet(uuid),
      source_id: uuid,
      destination_id: nullable(uuid),
      created_from: nullable(timestamp),
      created_to: timestamp,
      last_incoming_event_id: nullable(uuid),
      failed_tries: integer,
    },
  },
);
export type ReplayRow = RowOf<typeof lockDueReplay.columns>;

export const replayJobs = jobStatements('incoming_event_replays');

/** Locks incoming events, so that retention does not remove them. */
export const lockEvents = statement(
  'SELECT id FROM incoming_events WHERE id = ANY($incomingEvents::uuid[]) ORDER BY id FOR KEY SHARE',
  { params: { incomingEvents: uuids }, columns: { id: uuid } },
);

/** Moves a replay forward to a cursor, by the number of incoming events that it has replayed. */
export const advanceReplay = statement(
  `UPDATE incoming_event_replays SET replayed = replayed + $replayed, ${FORGET_FAILED_TRIES},
          last_incoming_event_id = coalesce($cursor, last_incoming_event_id), next_batch_at = now() + make_interval(secs => $paceSeconds)
   WHERE id = $replay`,
  { params: { replayed: integer, cursor: nullable(uuid), paceSeconds: float, replay: uuid } },
);

/** Ends a replay, unless it has ended. */
export const endReplay = statement(
  `UPDATE incoming_event_replays SET status = $status::"ReplayStatus", error = $error, completed_at = now()
   WHERE id = $replay AND status = 'RUNNING'`,
  { params: { status: enumOf<'COMPLETED' | 'FAILED'>('ReplayStatus'), error: nullable(text), replay: uuid } },
);

export const findIncomingEvent = statement(
  'SELECT source_id, verified FROM incoming_events WHERE project_id = $project AND id = $incomingEvent',
  { params: { project: uuid, incomingEvent: uuid }, columns: { source_id: uuid, verified: nullable(boolean) } },
);

/** Locks an incoming event, so that retention does not remove it. */
export const lockIncomingEvent = statement(
  'SELECT FROM incoming_events WHERE project_id = $project AND id = $incomingEvent FOR KEY SHARE',
  { params: { project: uuid, incomingEvent: uuid } },
);

/**
 * Selects the destinations of a source that can get forwards: one of them, or with null all. The caller has locked the project, so that
 * its deletion waits: an erasure would miss deliveries that are added later. The lock excludes other replays too: those that shared it
 * would let a deletion wait for as long as one of them always runs. It is a statement of its own: with a table of a cell beside it, Citus
 * would lock the copy of that machine alone.
 */
export const selectDestinations = statement(
  `SELECT d.id FROM destinations d
   JOIN projects p ON p.id = d.project_id AND p.deleted_at IS NULL
   JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL
   WHERE d.project_id = $project AND d.source_id = $source AND ($destination::uuid IS NULL OR d.id = $destination)
     AND d.enabled AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT ${MAX_DESTINATIONS}`,
  { params: { project: uuid, source: uuid, destination: nullable(uuid) }, columns: { id: uuid } },
);

/**
 * Makes deliveries of incoming events to destinations due, and stores missing ones. Does not change a delivery that waits for its first
 * attempt. The caller has locked the incoming events.
 */
export const insertForwards = statement(
  `WITH stored AS (
   INSERT INTO deliveries AS d (id, project_id, incoming_event_id, destination_id, next_attempt_at)
   SELECT f.id, $project, f.incoming_event_id, f.destination_id, now()
   FROM unnest($deliveries::uuid[], $incomingEvents::uuid[], $destinations::uuid[])
     AS f(id, incoming_event_id, destination_id)
   ORDER BY f.id
   ON CONFLICT (id) DO UPDATE SET status = 'PENDING', next_attempt_at = excluded.next_attempt_at, schedule_step = 0, completed_at = NULL
   WHERE d.project_id = excluded.project_id AND (d.status <> 'PENDING' OR d.attempt_count > 0)
   RETURNING project_id
   ), ${STORED_BYTES_SQL}
   SELECT FROM stored`,
  { params: { project: uuid, deliveries: uuids, incomingEvents: uuids, destinations: uuids } },
);
