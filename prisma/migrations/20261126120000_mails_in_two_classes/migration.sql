-- Mails that strangers can cause in any number wait for those that people ask for.
ALTER TABLE outbox ADD COLUMN is_bulk boolean NOT NULL DEFAULT false;
CREATE INDEX outbox_mail_turns_idx ON outbox (is_bulk, available_at, id) WHERE status = 'PENDING' AND kind = 'MAIL';
