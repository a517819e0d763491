-- Messages to people about what their project needs (docs/decisions/080-alerts.md).
CREATE TYPE "AlertKind" AS ENUM ('EMAIL', 'WEBHOOK', 'SLACK');
CREATE TYPE "AlertTrigger" AS ENUM (
  'ENDPOINT_FAILING', 'ENDPOINT_DISABLED', 'ENDPOINT_RECOVERED', 'DELIVERIES_EXHAUSTED', 'BACKLOG', 'SOURCE_REJECTING',
  'SCHEMA_MISMATCH', 'KEY_EXPIRING');
CREATE TYPE "AlertMessageKind" AS ENUM ('BEGAN', 'ENDED', 'DIGEST', 'TEST');
CREATE TYPE "AlertMessageStatus" AS ENUM ('HELD', 'PENDING', 'SENT', 'FAILED');

CREATE TABLE alerts (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  kind "AlertKind" NOT NULL,
  user_id uuid REFERENCES users ON DELETE SET NULL,
  target_encrypted bytea,
  secret_encrypted bytea,
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz(3),
  triggers "AlertTrigger"[],
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  muted_until timestamptz(3),
  last_sent_at timestamptz(3),
  fired_at jsonb NOT NULL DEFAULT '{}',
  hour_started_at timestamptz(3),
  hour_count integer NOT NULL DEFAULT 0,
  next_check_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CHECK ((kind = 'EMAIL') = (target_encrypted IS NULL)),
  CHECK ((kind = 'WEBHOOK') = (secret_encrypted IS NOT NULL))
);
CREATE INDEX alerts_next_check_at_idx ON alerts (next_check_at) WHERE enabled;
CREATE INDEX alerts_project_id_id_idx ON alerts (project_id, id);
CREATE INDEX alerts_user_id_idx ON alerts (user_id) WHERE user_id IS NOT NULL;

-- What goes on now: an alert says each once. `subject_id` is an endpoint, a source or a key.
CREATE TABLE alert_incidents (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  alert_id uuid NOT NULL REFERENCES alerts ON DELETE CASCADE,
  trigger "AlertTrigger" NOT NULL,
  subject_id uuid NOT NULL,
  began_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE (alert_id, trigger, subject_id)
);
CREATE INDEX alert_incidents_project_id_id_idx ON alert_incidents (project_id, id);

-- What was and will be sent. Those beyond the limit of an hour are held for its digest.
CREATE TABLE alert_messages (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  alert_id uuid NOT NULL REFERENCES alerts ON DELETE CASCADE,
  kind "AlertMessageKind" NOT NULL,
  trigger "AlertTrigger",
  text text NOT NULL,
  data jsonb NOT NULL,
  status "AlertMessageStatus" NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  available_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  response_status integer,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sent_at timestamptz(3)
);
CREATE INDEX alert_messages_alert_id_id_idx ON alert_messages (alert_id, id);
CREATE INDEX alert_messages_project_id_id_idx ON alert_messages (project_id, id);
CREATE INDEX alert_messages_available_at_idx ON alert_messages (available_at) WHERE status = 'PENDING';
