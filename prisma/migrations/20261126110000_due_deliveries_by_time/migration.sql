-- The index by time serves only statements that repeat its condition, which is always true. While few deliveries are pending, the planner
-- estimates one row for each index, and read all due deliveries for each target.
DROP INDEX deliveries_due_idx;
CREATE INDEX deliveries_due_idx ON deliveries (next_attempt_at) WHERE status = 'PENDING' AND created_at > '-infinity';
