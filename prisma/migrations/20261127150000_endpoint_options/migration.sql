CREATE TYPE "BodyFormat" AS ENUM ('ENVELOPE', 'DATA');
-- Values of headers are AES-256-GCM; their names are readable, also for those who may not see the values.
-- A signature that is sent beside that of Standard Webhooks, as the API shows it; null for none.
ALTER TABLE endpoints
  ADD COLUMN uid text,
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN header_names text[] DEFAULT ARRAY[]::text[],
  ADD COLUMN headers_encrypted bytea,
  ADD COLUMN signature jsonb,
  ADD COLUMN filter text,
  ADD COLUMN rate_requests integer,
  ADD COLUMN rate_seconds integer,
  ADD COLUMN body_format "BodyFormat" NOT NULL DEFAULT 'ENVELOPE';
ALTER TABLE sources ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
ALTER TABLE destinations ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
CREATE UNIQUE INDEX endpoints_project_id_uid_key ON endpoints (project_id, uid) WHERE uid IS NOT NULL AND deleted_at IS NULL;
-- What was permitted of late to an endpoint with a rate limit: sums, and when the parts of its window end that they are of.
CREATE TABLE endpoint_permits (
  endpoint_id uuid PRIMARY KEY REFERENCES endpoints (id) ON DELETE CASCADE,
  ends_ms bigint[] DEFAULT ARRAY[]::bigint[],
  counts integer[] DEFAULT ARRAY[]::integer[]
);
