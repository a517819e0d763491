-- Workers let owners take turns. Null for jobs that an earlier version has started: they count for their project.
ALTER TABLE bulk_retries ADD COLUMN owner_id uuid;
ALTER TABLE incoming_event_replays ADD COLUMN owner_id uuid;
