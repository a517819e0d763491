-- Owners take turns with their alerts and messages: a worker reads a few entries for each owner, however many wait.
ALTER TABLE alert_messages ADD COLUMN owner_id uuid;
CREATE INDEX alert_messages_owner_idx ON alert_messages ((coalesce(owner_id, project_id)), available_at, id) WHERE status = 'PENDING';
CREATE INDEX alerts_owner_id_next_check_at_idx ON alerts (owner_id, next_check_at) WHERE enabled;
