-- What the projects of an organization produce lives in a cell: a schema that the search path of a connection finds
-- (docs/decisions/078-cells.md). Statements name no schema. Organizations, projects, keys and all of sign-in stay in public.
CREATE SCHEMA cell_00;

ALTER TABLE customers SET SCHEMA cell_00;
ALTER TABLE endpoints SET SCHEMA cell_00;
ALTER TABLE endpoint_permits SET SCHEMA cell_00;
ALTER TABLE subscriptions SET SCHEMA cell_00;
ALTER TABLE sources SET SCHEMA cell_00;
ALTER TABLE destinations SET SCHEMA cell_00;
ALTER TABLE events SET SCHEMA cell_00;
ALTER TABLE incoming_events SET SCHEMA cell_00;
ALTER TABLE incoming_event_replays SET SCHEMA cell_00;
ALTER TABLE bulk_retries SET SCHEMA cell_00;
ALTER TABLE deliveries SET SCHEMA cell_00;
ALTER TABLE delivery_attempts SET SCHEMA cell_00;
ALTER TABLE outbox SET SCHEMA cell_00;
ALTER TABLE tunnels SET SCHEMA cell_00;
ALTER TABLE tunnel_connections SET SCHEMA cell_00;
ALTER TABLE tunnel_request_log SET SCHEMA cell_00;
ALTER TABLE stats SET SCHEMA cell_00;
ALTER TABLE stat_batches SET SCHEMA cell_00;
ALTER TABLE stored_bytes SET SCHEMA cell_00;

-- For psql, and for connections through a pooler, which sets no search path. Who does not own the database sets it for itself.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET search_path = cell_00, public', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET search_path = cell_00, public', current_database());
END $$;
