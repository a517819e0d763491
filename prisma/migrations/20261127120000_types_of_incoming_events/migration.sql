-- As its provider names the event. Null for what was stored before, and where a request names none.
ALTER TABLE incoming_events ADD COLUMN event_type text;
CREATE INDEX incoming_events_project_id_event_type_id_idx ON incoming_events (project_id, event_type, id)
  WHERE event_type IS NOT NULL;
