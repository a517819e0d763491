-- The search for due targets goes by project, so that owners share it. Its condition is always true: lib/delivery/pending.ts.
CREATE INDEX deliveries_project_due_idx ON deliveries (project_id, (coalesce(endpoint_id, destination_id)), next_attempt_at)
  WHERE status = 'PENDING' AND created_at <> 'infinity';
