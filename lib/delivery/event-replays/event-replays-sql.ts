import type { EventReplaySelect } from '@/lib/delivery/schema';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import {
  bigint,
  boolean,
  enumOf,
  float,
  integer,
  knownToBeSet,
  nullable,
  text,
  timestamp,
  uuid,
} from '@/lib/platform/sql/column';
import { FORGET_FAILED_TRIES, jobStatements } from '@/lib/platform/sql/job-statements';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** Finished event replays that are kept per project. */
const MAX_ENDED = 100;

/** Whether a customer has started it in the portal: no other one has both. */
const IS_OF_PORTAL = '(endpoint_id IS NOT NULL AND customer_id IS NOT NULL)';
const ENDED = `project_id = $project AND status <> 'RUNNING' AND ${IS_OF_PORTAL} = $isOfPortal`;

/**
 * Deletes the oldest finished event replays of a project beyond the number that is kept: of those that customers have started in the
 * portal, or of the others.
 */
export const deleteOldEventReplays = statement(
  `DELETE FROM event_replays WHERE ${ENDED} AND id < (
     SELECT id FROM event_replays WHERE ${ENDED} ORDER BY id DESC OFFSET ${MAX_ENDED - 1} LIMIT 1)`,
  { params: { project: uuid, isOfPortal: boolean } },
);

/** Counts the running event replays of a project, without those that customers have started; `customer`: those that it has started. */
export const countRunning = statement(
  `SELECT count(*)::int AS count FROM event_replays
   WHERE project_id = $project AND status = 'RUNNING' AND CASE WHEN $customer::uuid IS NULL THEN NOT ${IS_OF_PORTAL}
     ELSE ${IS_OF_PORTAL} AND customer_id = $customer END`,
  { params: { project: uuid, customer: nullable(uuid) }, columns: { count: integer } },
);

/** Counts the running event replays in this cell that customers of an owner have started, up to `most`. */
export const countRunningOfCustomers = statement(
  `SELECT count(*)::int AS count FROM (
     SELECT FROM event_replays WHERE owner_id = $owner AND status = 'RUNNING' AND ${IS_OF_PORTAL} LIMIT $most) r`,
  { params: { owner: uuid, most: bigint }, columns: { count: integer } },
);

/** Wakes a worker when the transaction commits. */
export const notifyEventReplays = statement(`SELECT pg_notify(${cellChannelSql('eds_event_replay')}, '')`);

/**
 * Locks the running event replay that has waited longest for its next batch, of the owner whose turn follows that of another one. Other
 * workers skip it.
 */
export const lockDueEventReplay = statement(
  `SELECT r.id, r.owner_id, r.project_id, (SELECT organization_id FROM projects p WHERE p.id = r.project_id) AS organization_id,
          r.selection, r.created_from, r.created_to, r.endpoint_id, r.customer_id, r.event_type, r.total, r.checked, r.last_event_id, r.last_endpoint_id, r.created_at, r.failed_tries,
          EXISTS (SELECT FROM projects p JOIN organizations o ON o.id = p.organization_id
            WHERE p.id = r.project_id AND p.deleted_at IS NULL AND o.deleted_at IS NULL) AS is_live
   FROM event_replays r WHERE r.status = 'RUNNING' AND r.next_batch_at <= now()
   ORDER BY (r.owner_id > $after) IS TRUE DESC, r.owner_id, r.next_batch_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
  {
    params: { after: nullable(uuid) },
    columns: {
      id: uuid,
      owner_id: uuid,
      project_id: uuid,
      organization_id: knownToBeSet(uuid),
      selection: enumOf<EventReplaySelect>('EventReplaySelect'),
      created_from: timestamp,
      created_to: timestamp,
      endpoint_id: nullable(uuid),
      customer_id: nullable(uuid),
      event_type: nullable(text),
      total: integer,
      checked: integer,
      last_event_id: nullable(uuid),
      last_endpoint_id: nullable(uuid),
      created_at: timestamp,
      failed_tries: integer,
      is_live: boolean,
    },
  },
);
export type EventReplayRow = RowOf<typeof lockDueEventReplay.columns>;

export const eventReplayJobs = jobStatements('event_replays');

/** Moves an event replay forward to a cursor, and counts what became of its events and deliveries. */
export const advanceEventReplay = statement(
  `UPDATE event_replays SET last_event_id = $event, last_endpoint_id = $endpoint, checked = checked + $checked, sent = sent + $sent,
          skipped_pending = skipped_pending + $pending, skipped_disabled = skipped_disabled + $disabled,
          skipped_deleted = skipped_deleted + $deleted, ${FORGET_FAILED_TRIES}, next_batch_at = now() + make_interval(secs => $paceSeconds)
   WHERE id = $replay`,
  {
    params: {
      event: nullable(uuid),
      endpoint: nullable(uuid),
      checked: integer,
      sent: integer,
      pending: integer,
      disabled: integer,
      deleted: integer,
      paceSeconds: float,
      replay: uuid,
    },
  },
);

/** Ends an event replay, which has come to its last event. What it never met is gone. */
export const completeEventReplay = statement(
  `UPDATE event_replays SET status = 'COMPLETED', completed_at = now(), skipped_gone = greatest(0, total - checked)
   WHERE id = $replay`,
  { params: { replay: uuid } },
);

/** Ends an event replay of a deleted project. */
export const cancelEventReplay = statement(
  `UPDATE event_replays SET status = 'CANCELED', completed_at = now() WHERE id = $replay`,
  { params: { replay: uuid } },
);
