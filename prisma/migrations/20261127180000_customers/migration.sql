-- A uid and a name are found by their beginning, so they sort by bytes.
CREATE TABLE customers (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  uid text COLLATE "C" NOT NULL,
  name text,
  metadata jsonb NOT NULL DEFAULT '{}',
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX customers_project_id_uid_key ON customers (project_id, uid) WHERE deleted_at IS NULL;
CREATE INDEX customers_project_id_name_idx ON customers (project_id, (lower(name) COLLATE "C")) WHERE deleted_at IS NULL AND name IS NOT NULL;
CREATE INDEX customers_project_id_id_idx ON customers (project_id, id);
-- Workers find what to remove project by project, so that no tenant's deletions keep those of others waiting.
CREATE INDEX customers_deleted_idx ON customers (project_id, deleted_at) WHERE deleted_at IS NOT NULL;
-- Counting 100,000 customers at each creation would take milliseconds.
ALTER TABLE projects ADD COLUMN customer_count integer NOT NULL DEFAULT 0;

ALTER TABLE endpoints
  ADD COLUMN customer_id uuid,
  ADD COLUMN receives_customer_events boolean NOT NULL DEFAULT false;
-- Both are of the endpoint, so that an event finds those of its customer alone, and those that receive it besides.
ALTER TABLE subscriptions
  ADD COLUMN customer_id uuid,
  ADD COLUMN receives_customer_events boolean NOT NULL DEFAULT false;
-- No foreign key: it would cost a lookup and a lock for every event. Workers remove the events of a deleted customer before its row.
ALTER TABLE events ADD COLUMN customer_id uuid;
-- The customer of the endpoint.
ALTER TABLE deliveries ADD COLUMN customer_id uuid;

CREATE INDEX endpoints_customer_id_id_idx ON endpoints (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX endpoints_own_idx ON endpoints (project_id) WHERE deleted_at IS NULL AND customer_id IS NULL;
-- Creations count what was deleted of the same owner.
CREATE INDEX endpoints_deleted_of_owner_idx ON endpoints (project_id, customer_id) WHERE deleted_at IS NOT NULL;
CREATE INDEX subscriptions_customer_id_id_idx ON subscriptions (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX subscriptions_own_idx ON subscriptions (project_id) WHERE customer_id IS NULL;
CREATE INDEX subscriptions_matching_idx ON subscriptions (project_id, event_type, customer_id, endpoint_id);
CREATE INDEX subscriptions_receiving_idx ON subscriptions (project_id, event_type, endpoint_id) WHERE receives_customer_events;
DROP INDEX subscriptions_project_id_event_type_endpoint_id_idx;
DROP INDEX endpoints_present_idx;
CREATE INDEX events_customer_id_id_idx ON events (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX deliveries_customer_id_id_idx ON deliveries (customer_id, id) WHERE customer_id IS NOT NULL;
