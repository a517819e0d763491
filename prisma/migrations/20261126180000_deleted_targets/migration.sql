-- Lists, counts and takes read what is not deleted, however many deleted rows retention has not removed yet.
CREATE INDEX destinations_present_idx ON destinations (project_id) WHERE deleted_at IS NULL;
CREATE INDEX destinations_present_of_source_idx ON destinations (source_id) WHERE deleted_at IS NULL;
CREATE INDEX sources_present_idx ON sources (project_id) WHERE deleted_at IS NULL;
-- Retention finds deleted rows by their time.
CREATE INDEX destinations_deleted_idx ON destinations (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX endpoints_deleted_idx ON endpoints (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX sources_deleted_idx ON sources (deleted_at) WHERE deleted_at IS NOT NULL;
-- A source or destination is removed when no replay names it.
CREATE INDEX incoming_event_replays_destination_id_idx ON incoming_event_replays (destination_id) WHERE destination_id IS NOT NULL;
CREATE INDEX incoming_event_replays_source_id_idx ON incoming_event_replays (source_id);
