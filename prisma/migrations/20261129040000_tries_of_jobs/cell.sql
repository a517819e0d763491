-- When the try of a job began that has not ended.
ALTER TABLE bulk_retries ADD COLUMN try_began_at timestamptz(6);
ALTER TABLE event_replays ADD COLUMN try_began_at timestamptz(6);
ALTER TABLE incoming_event_replays ADD COLUMN try_began_at timestamptz(6);
