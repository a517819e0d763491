-- Bodies over 512 KiB, which are read in pieces: PostgreSQL reads a piece of a compressed value by unpacking all that is before it. Small
-- ones stay in `body`, compressed. Large ones that were stored there before stay there too.
ALTER TABLE incoming_events ADD COLUMN large_body bytea;
ALTER TABLE incoming_events ALTER COLUMN large_body SET STORAGE EXTERNAL;
