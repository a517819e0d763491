-- A job whose batch fails again and again ends, and says why.
ALTER TYPE "BulkRetryStatus" ADD VALUE 'FAILED';
ALTER TYPE "EventReplayStatus" ADD VALUE 'FAILED';
ALTER TABLE bulk_retries
  ADD COLUMN failed_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN error text;
ALTER TABLE event_replays
  ADD COLUMN failed_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN error text;
ALTER TABLE incoming_event_replays ADD COLUMN failed_tries integer NOT NULL DEFAULT 0;
