-- A session has one unspent token beside any number of spent ones.
CREATE INDEX refresh_tokens_unspent_idx ON refresh_tokens (session_id) WHERE spent_at IS NULL;
