-- Events that are sent again, or for the first time, in batches by workers.
CREATE TYPE "EventReplayStatus" AS ENUM ('RUNNING', 'COMPLETED', 'CANCELED');
CREATE TYPE "EventReplaySelect" AS ENUM ('MISSING', 'FAILED', 'ALL');

CREATE TABLE event_replays (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  owner_id uuid NOT NULL,
  status "EventReplayStatus" NOT NULL DEFAULT 'RUNNING',
  selection "EventReplaySelect" NOT NULL,
  created_from timestamptz(3) NOT NULL,
  created_to timestamptz(3) NOT NULL,
  endpoint_id uuid,
  customer_id uuid,
  event_type text,
  total integer NOT NULL,
  checked integer NOT NULL DEFAULT 0,
  sent integer NOT NULL DEFAULT 0,
  skipped_pending integer NOT NULL DEFAULT 0,
  skipped_disabled integer NOT NULL DEFAULT 0,
  skipped_deleted integer NOT NULL DEFAULT 0,
  skipped_gone integer NOT NULL DEFAULT 0,
  last_event_id uuid,
  last_endpoint_id uuid,
  next_batch_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  completed_at timestamptz(3)
);
-- The queue of workers contains only running replays.
CREATE INDEX event_replays_due_idx ON event_replays (next_batch_at) WHERE status = 'RUNNING';
CREATE INDEX event_replays_project_id_id_idx ON event_replays (project_id, id);
