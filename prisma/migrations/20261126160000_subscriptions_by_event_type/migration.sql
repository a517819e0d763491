CREATE INDEX subscriptions_project_id_event_type_endpoint_id_idx ON subscriptions (project_id, event_type, endpoint_id);
