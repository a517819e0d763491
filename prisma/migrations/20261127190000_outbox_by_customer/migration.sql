-- The customers of a project take turns in the outbox: each has its rows in the order of time.
ALTER TABLE outbox ADD COLUMN customer_id uuid;
CREATE INDEX outbox_turn_due_idx ON outbox (project_id, (coalesce(customer_id, project_id)), available_at, id)
  WHERE status = 'PENDING' AND kind <> 'MAIL';
DROP INDEX outbox_project_due_idx;
