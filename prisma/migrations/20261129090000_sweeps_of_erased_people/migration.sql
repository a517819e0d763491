-- Each erased person is swept until it is certain that nothing more is written, and not again (docs/decisions/012-erasure-empties-the-account.md).
ALTER TABLE users ADD COLUMN swept_at timestamptz(3);
CREATE INDEX users_unswept_idx ON users (erased_at) WHERE erased_at IS NOT NULL AND swept_at IS NULL;
DROP INDEX users_erased_at_idx;
CREATE INDEX invitations_invited_by_id_idx ON invitations (invited_by_id);

-- The audit log of a person is read in batches.
CREATE INDEX audit_log_actor_id_id_idx ON audit_log (actor_id, id);
DROP INDEX audit_log_actor_id_idx;
