-- A person has few open sessions, and any number of closed ones until they are removed.
CREATE INDEX sessions_open_idx ON sessions (user_id, id) WHERE closed_at IS NULL;
