-- Each index serves only statements that repeat its condition, which is always true: lib/delivery/pending.ts.
DROP INDEX deliveries_due_idx;
CREATE INDEX deliveries_due_idx ON deliveries (next_attempt_at) WHERE status = 'PENDING' AND created_at > '-infinity';
DROP INDEX deliveries_target_due_idx;
CREATE INDEX deliveries_target_due_idx ON deliveries ((coalesce(endpoint_id, destination_id)), next_attempt_at)
  WHERE status = 'PENDING' AND created_at < 'infinity';
