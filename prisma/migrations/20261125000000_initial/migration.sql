-- The schema of the first release: types, then each table with its indexes, then functions and triggers. The names of keys and
-- indexes are Prisma's. What Prisma has no word for (conditions of indexes, checks, partitions, storage, triggers) stands here only.

CREATE TYPE "Role" AS ENUM ('OWNER', 'ADMIN', 'DEVELOPER', 'VIEWER');
CREATE TYPE "SessionMethod" AS ENUM ('PASSWORD', 'IDP', 'DEVICE');
CREATE TYPE "UserTokenPurpose" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD', 'CONFIRM_PASSWORD');
CREATE TYPE "DeviceCodeStatus" AS ENUM ('PENDING', 'APPROVED', 'DENIED', 'EXCHANGED');
CREATE TYPE "KeyScope" AS ENUM ('READ_WRITE', 'READ_ONLY');
CREATE TYPE "SourceProvider" AS ENUM ('NONE', 'GENERIC_HMAC', 'STANDARD_WEBHOOKS', 'STRIPE', 'GITHUB', 'SHOPIFY', 'SLACK');
CREATE TYPE "DeliveryStatus" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');
CREATE TYPE "OutboxKind" AS ENUM ('EVENT', 'INCOMING_EVENT', 'MAIL');
CREATE TYPE "OutboxStatus" AS ENUM ('PENDING', 'DEAD');
CREATE TYPE "ActorType" AS ENUM ('USER', 'API_KEY', 'OPERATOR', 'SYSTEM');
CREATE TYPE "ReplayStatus" AS ENUM ('RUNNING', 'COMPLETED', 'CANCELED', 'FAILED');
CREATE TYPE "StatPeriod" AS ENUM ('MINUTE', 'HOUR', 'DAY');
CREATE TYPE "StatKind" AS ENUM (
  'EVENT', 'INCOMING_VERIFIED', 'INCOMING_UNSIGNED', 'INCOMING_REJECTED', 'SUCCEEDED', 'REDIRECT',
  'CLIENT_ERROR', 'SERVER_ERROR', 'TIMED_OUT', 'NO_RESPONSE', 'NOT_SENT');
CREATE TYPE "BulkRetryStatus" AS ENUM ('RUNNING', 'COMPLETED', 'CANCELED');

-- Partitions have a schema of their own: public shows the model, and Prisma sees no partition.
CREATE SCHEMA partitions;

-- Each failure is forgotten when it is older than AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES, not all of them at one moment.
CREATE TABLE login_lockouts (
  address_hash bytea PRIMARY KEY,
  failed_at timestamptz(3)[],
  last_failed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  locked_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX login_lockouts_last_failed_at_idx ON login_lockouts (last_failed_at);

CREATE TABLE rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire_idx ON rate_limits (expire);

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- Nothing but what is deleted and not yet removed is in it.
CREATE INDEX organizations_deleted_at_idx ON organizations (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text,
  password_hash text,
  password_confirmed boolean NOT NULL DEFAULT true,
  email_verified_at timestamptz(3),
  last_organization_id uuid REFERENCES organizations ON DELETE SET NULL,
  times_in_utc boolean NOT NULL DEFAULT false,
  erased_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX users_email_key ON users (email);
-- Workers look every minute for what is deleted and not yet removed: nothing else is in these.
CREATE INDEX users_erased_at_idx ON users (erased_at) WHERE erased_at IS NOT NULL;
-- Removing an organization looks for the people who left off in it.
CREATE INDEX users_last_organization_id_idx ON users (last_organization_id) WHERE last_organization_id IS NOT NULL;

CREATE TABLE identities (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX identities_issuer_subject_key ON identities (issuer, subject);
CREATE UNIQUE INDEX identities_user_id_issuer_key ON identities (user_id, issuer);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  organization_id uuid REFERENCES organizations ON DELETE SET NULL,
  method "SessionMethod" NOT NULL,
  ip_address text,
  user_agent text,
  client_name text,
  last_used_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- Sessions that were closed before their time; the others end by expires_at.
CREATE INDEX sessions_closed_at_idx ON sessions (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE INDEX sessions_organization_id_idx ON sessions (organization_id);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CREATE TABLE refresh_tokens (
  id uuid PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  spent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at);
CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);
CREATE UNIQUE INDEX refresh_tokens_token_hash_key ON refresh_tokens (token_hash);

CREATE TABLE user_tokens (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  purpose "UserTokenPurpose" NOT NULL,
  token_hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX user_tokens_expires_at_idx ON user_tokens (expires_at);
CREATE UNIQUE INDEX user_tokens_token_hash_key ON user_tokens (token_hash);
CREATE INDEX user_tokens_user_id_purpose_idx ON user_tokens (user_id, purpose);

CREATE TABLE device_codes (
  id uuid PRIMARY KEY,
  device_code_hash bytea NOT NULL,
  user_code_hash bytea NOT NULL,
  client_name text,
  ip_address text,
  user_agent text,
  status "DeviceCodeStatus" NOT NULL DEFAULT 'PENDING',
  user_id uuid REFERENCES users ON DELETE CASCADE,
  organization_id uuid REFERENCES organizations ON DELETE CASCADE,
  interval_seconds integer NOT NULL DEFAULT 5,
  last_polled_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX device_codes_device_code_hash_key ON device_codes (device_code_hash);
CREATE INDEX device_codes_expires_at_idx ON device_codes (expires_at);
CREATE INDEX device_codes_organization_id_idx ON device_codes (organization_id);
CREATE UNIQUE INDEX device_codes_user_code_hash_key ON device_codes (user_code_hash);
CREATE INDEX device_codes_user_id_idx ON device_codes (user_id);

CREATE TABLE memberships (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role "Role" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_user_id_idx ON memberships (user_id);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  email text NOT NULL,
  role "Role" NOT NULL,
  token_hash bytea NOT NULL,
  link_hash bytea,
  link_created_by_id uuid,
  invited_by_id uuid,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);
-- The link that an inviter copies has a token of its own: unlike the one in the email, it does not prove the address.
CREATE UNIQUE INDEX invitations_link_hash_key ON invitations (link_hash);
CREATE INDEX invitations_organization_id_idx ON invitations (organization_id);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE RESTRICT,
  name text NOT NULL,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- Nothing but what is deleted and not yet removed is in it.
CREATE INDEX projects_deleted_at_idx ON projects (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX projects_organization_id_idx ON projects (organization_id);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  name text NOT NULL,
  scope "KeyScope" NOT NULL DEFAULT 'READ_WRITE',
  key_hash bytea NOT NULL,
  hint text NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  rotated_at timestamptz(3),
  grace_ends_at timestamptz(3),
  replaces_id uuid REFERENCES api_keys ON DELETE SET NULL,
  created_by_id uuid,
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- A creation counts what the project has while it holds the project's lock. Ended keys stay, in any number.
CREATE INDEX api_keys_end_idx ON api_keys (project_id, (least(expires_at, grace_ends_at))) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_project_id_id_idx ON api_keys (project_id, id);
CREATE UNIQUE INDEX api_keys_replaces_id_key ON api_keys (replaces_id);

CREATE TABLE endpoints (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  url text NOT NULL,
  description text,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  disabled_at timestamptz(3),
  pause_reason text,
  retry_seconds integer[],
  secret_encrypted bytea,
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz(3),
  failing_since timestamptz(3),
  url_changed_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- A creation counts what the project has while it holds the project's lock. Deleted endpoints stay, in any number.
CREATE INDEX endpoints_present_idx ON endpoints (project_id) WHERE deleted_at IS NULL;
CREATE INDEX endpoints_project_id_id_idx ON endpoints (project_id, id);

CREATE TABLE subscriptions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  endpoint_id uuid NOT NULL REFERENCES endpoints ON DELETE CASCADE,
  event_type text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX subscriptions_endpoint_id_event_type_key ON subscriptions (endpoint_id, event_type);
CREATE INDEX subscriptions_project_id_id_idx ON subscriptions (project_id, id);

CREATE TABLE sources (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  name text NOT NULL,
  provider "SourceProvider" NOT NULL DEFAULT 'NONE',
  token_hash bytea NOT NULL,
  token_encrypted bytea NOT NULL,
  previous_token_hash bytea,
  previous_token_expires_at timestamptz(3),
  secret_encrypted bytea,
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz(3),
  signature_header text,
  signature_encoding text,
  signature_prefix text,
  enabled boolean NOT NULL DEFAULT true,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX sources_id_project_id_key ON sources (id, project_id);
-- A plain unique index makes its column part of the row's key. A change of the key waits for every transaction that has inserted a
-- reference to the row, so under constant traffic the URL of a source could neither be rotated nor deleted.
CREATE UNIQUE INDEX sources_previous_token_hash_key ON sources (previous_token_hash) WHERE previous_token_hash IS NOT NULL;
CREATE INDEX sources_project_id_id_idx ON sources (project_id, id);
CREATE UNIQUE INDEX sources_token_hash_key ON sources (token_hash) WHERE token_hash IS NOT NULL;

CREATE TABLE destinations (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  source_id uuid NOT NULL REFERENCES sources ON DELETE RESTRICT,
  url text NOT NULL,
  description text,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  disabled_at timestamptz(3),
  pause_reason text,
  retry_seconds integer[],
  auth_encrypted bytea,
  secret_encrypted bytea,
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz(3),
  failing_since timestamptz(3),
  url_changed_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX destinations_project_id_id_idx ON destinations (project_id, id);
CREATE INDEX destinations_source_id_idx ON destinations (source_id);

CREATE TABLE events (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  type text NOT NULL,
  payload text NOT NULL,
  idempotency_key text,
  body_hash bytea,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  traceparent text
);
CREATE INDEX events_created_at_id_idx ON events (created_at, id);
CREATE INDEX events_project_id_id_idx ON events (project_id, id);
-- An idempotency key is remembered for as long as its event is kept.
CREATE UNIQUE INDEX events_project_id_idempotency_key_key ON events (project_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX events_project_id_type_id_idx ON events (project_id, type, id);

CREATE TABLE incoming_events (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  source_id uuid NOT NULL,
  verified boolean,
  provider_event_id text,
  method text NOT NULL,
  query text,
  content_type text,
  headers text NOT NULL,
  body bytea NOT NULL,
  size integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  traceparent text,
  FOREIGN KEY (source_id, project_id) REFERENCES sources (id, project_id) ON DELETE RESTRICT
);
CREATE INDEX incoming_events_created_at_id_idx ON incoming_events (created_at, id);
CREATE INDEX incoming_events_project_id_id_idx ON incoming_events (project_id, id);
-- A repeat of the provider finds its first request. Rows without a valid signature are not in it: a stranger must not be able to
-- claim an id before the provider does.
CREATE UNIQUE INDEX incoming_events_provider_event_id_idx ON incoming_events (source_id, provider_event_id)
  WHERE provider_event_id IS NOT NULL AND verified IS NOT FALSE;
CREATE INDEX incoming_events_source_id_id_idx ON incoming_events (source_id, id);
-- Counts what was kept of requests without a valid signature in the last hour.
CREATE INDEX incoming_events_unverified_idx ON incoming_events (source_id, created_at) WHERE verified = false;

CREATE TABLE incoming_event_replays (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  source_id uuid NOT NULL REFERENCES sources ON DELETE RESTRICT,
  destination_id uuid REFERENCES destinations ON DELETE RESTRICT,
  created_from timestamptz(3),
  created_to timestamptz(3) NOT NULL,
  status "ReplayStatus" NOT NULL DEFAULT 'RUNNING',
  total integer NOT NULL,
  replayed integer NOT NULL DEFAULT 0,
  last_incoming_event_id uuid,
  error text,
  next_batch_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  completed_at timestamptz(3)
);
-- The queue of workers contains only running replays.
CREATE INDEX incoming_event_replays_due_idx ON incoming_event_replays (next_batch_at) WHERE status = 'RUNNING';
CREATE INDEX incoming_event_replays_project_id_id_idx ON incoming_event_replays (project_id, id);

CREATE TABLE bulk_retries (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  filter jsonb NOT NULL,
  delivery_ids uuid[],
  status "BulkRetryStatus" NOT NULL DEFAULT 'RUNNING',
  total integer NOT NULL,
  retried integer NOT NULL DEFAULT 0,
  skipped_pending integer NOT NULL DEFAULT 0,
  skipped_disabled integer NOT NULL DEFAULT 0,
  skipped_deleted integer NOT NULL DEFAULT 0,
  skipped_gone integer NOT NULL DEFAULT 0,
  last_delivery_id uuid,
  next_batch_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  completed_at timestamptz(3)
);
-- The queue of workers contains only running bulk retries.
CREATE INDEX bulk_retries_due_idx ON bulk_retries (next_batch_at) WHERE status = 'RUNNING';
CREATE INDEX bulk_retries_project_id_id_idx ON bulk_retries (project_id, id);

CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  event_id uuid REFERENCES events ON DELETE CASCADE,
  incoming_event_id uuid REFERENCES incoming_events ON DELETE CASCADE,
  endpoint_id uuid REFERENCES endpoints ON DELETE RESTRICT,
  destination_id uuid REFERENCES destinations ON DELETE RESTRICT,
  status "DeliveryStatus" NOT NULL DEFAULT 'PENDING',
  attempt_count integer NOT NULL DEFAULT 0,
  schedule_step integer NOT NULL DEFAULT 0,
  stored_attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(6),
  last_attempt_at timestamptz(3),
  last_response_status integer,
  last_error text,
  completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT deliveries_one_origin_check CHECK (num_nonnulls(event_id, incoming_event_id) = 1),
  CONSTRAINT deliveries_one_target_check CHECK (num_nonnulls(endpoint_id, destination_id) = 1),
  CONSTRAINT deliveries_pending_is_due_check CHECK ((status <> 'PENDING') OR (next_attempt_at IS NOT NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
CREATE INDEX deliveries_destination_id_id_idx ON deliveries (destination_id, id) WHERE destination_id IS NOT NULL;
CREATE INDEX deliveries_due_idx ON deliveries (next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX deliveries_endpoint_id_id_idx ON deliveries (endpoint_id, id);
CREATE INDEX deliveries_event_id_idx ON deliveries (event_id);
CREATE INDEX deliveries_incoming_event_id_idx ON deliveries (incoming_event_id) WHERE incoming_event_id IS NOT NULL;
CREATE INDEX deliveries_project_id_id_idx ON deliveries (project_id, id);
-- Candidates of the cap of attempts per delivery.
CREATE INDEX deliveries_stored_attempts_idx ON deliveries (stored_attempts) WHERE stored_attempts > 1;
-- Claims go target by target, each its own oldest first: one with much due costs the others nothing.
CREATE INDEX deliveries_target_due_idx ON deliveries ((coalesce(endpoint_id, destination_id)), next_attempt_at) WHERE status = 'PENDING';
-- Most deliveries succeed: only the others are worth finding by status.
CREATE INDEX deliveries_unsucceeded_idx ON deliveries (project_id, status, id) WHERE status <> 'SUCCEEDED';

CREATE TABLE delivery_attempts (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt_number integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  response_status integer,
  response_body text,
  error text,
  succeeded boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  request_parts text,
  response_headers text,
  remote_address text,
  dns_us integer,
  connect_us integer,
  tls_us integer,
  first_byte_us integer,
  PRIMARY KEY (delivery_id, attempt_number, succeeded, created_at)
) PARTITION BY LIST (succeeded);
-- Successes and failures leave at different ages, so each is a branch of its own, by UTC day below it: a whole period of either
-- leaves by dropping a partition. Retention makes the days; the defaults catch what came before it ran.
CREATE TABLE partitions.delivery_attempts_succeeded PARTITION OF delivery_attempts FOR VALUES IN (true) PARTITION BY RANGE (created_at);
CREATE TABLE partitions.delivery_attempts_failed PARTITION OF delivery_attempts FOR VALUES IN (false) PARTITION BY RANGE (created_at);
CREATE TABLE partitions.delivery_attempts_succeeded_default PARTITION OF partitions.delivery_attempts_succeeded DEFAULT;
CREATE TABLE partitions.delivery_attempts_failed_default PARTITION OF partitions.delivery_attempts_failed DEFAULT;

-- A queue turns over whole many times a day: vacuum by rows, not by share of the table.
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  kind "OutboxKind" NOT NULL,
  project_id uuid,
  event_id uuid,
  incoming_event_id uuid,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  payload_encrypted bytea,
  status "OutboxStatus" NOT NULL DEFAULT 'PENDING',
  attempts integer NOT NULL DEFAULT 0,
  available_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dead_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_dead_has_time_check CHECK ((status = 'DEAD') = (dead_at IS NOT NULL))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX outbox_dead_idx ON outbox (dead_at) WHERE status = 'DEAD';
-- An event may not leave while it waits to be fanned out, and its dead rows leave with it.
CREATE INDEX outbox_event_id_idx ON outbox (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX outbox_incoming_event_id_idx ON outbox (incoming_event_id) WHERE incoming_event_id IS NOT NULL;
CREATE INDEX outbox_mail_due_idx ON outbox (available_at, id) WHERE status = 'PENDING' AND kind = 'MAIL';
-- Workers take rows project by project, each its own oldest first, so that no project waits for another's backlog.
CREATE INDEX outbox_project_due_idx ON outbox (project_id, available_at, id) WHERE status = 'PENDING' AND kind <> 'MAIL';
-- Rows that were taken twice and never finished: one of them may be what ended the workers that had them.
CREATE INDEX outbox_quarantined_idx ON outbox (available_at) WHERE status = 'PENDING' AND kind <> 'MAIL' AND attempts >= 2;
-- Only mails have a user; an index over all rows would cost every event an entry.
CREATE INDEX outbox_user_id_idx ON outbox (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE tunnels (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  token_encrypted bytea NOT NULL,
  basic_auth_username text,
  basic_auth_hash bytea,
  allowed_cidrs text[] DEFAULT ARRAY[]::text[],
  test_status integer,
  test_delay_seconds integer,
  last_seen_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT tunnels_basic_auth_check CHECK ((basic_auth_username IS NULL) = (basic_auth_hash IS NULL)),
  CONSTRAINT tunnels_test_response_check CHECK ((test_status IS NULL) = (test_delay_seconds IS NULL))
);
CREATE INDEX tunnels_project_id_id_idx ON tunnels (project_id, id);
CREATE UNIQUE INDEX tunnels_token_hash_key ON tunnels (token_hash);

CREATE TABLE tunnel_connections (
  tunnel_id uuid PRIMARY KEY REFERENCES tunnels ON DELETE CASCADE,
  project_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  peer_url text NOT NULL,
  client_name text NOT NULL,
  client_hash bytea,
  connected_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  heartbeat_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX tunnel_connections_project_id_idx ON tunnel_connections (project_id);

CREATE TABLE tunnel_request_log (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  tunnel_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  response_status integer,
  duration_ms integer,
  request_size integer NOT NULL,
  response_size integer,
  error text,
  request_headers text,
  request_body bytea,
  request_body_truncated boolean NOT NULL DEFAULT false,
  response_headers text,
  response_body bytea,
  response_body_truncated boolean NOT NULL DEFAULT false,
  replay_of uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (tunnel_id, id, created_at)
) PARTITION BY RANGE (created_at);
CREATE TABLE partitions.tunnel_request_log_default PARTITION OF tunnel_request_log DEFAULT;
CREATE INDEX tunnel_request_log_project_id_id_idx ON tunnel_request_log (project_id, id);

CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  organization_id uuid,
  action text NOT NULL,
  actor_type "ActorType" NOT NULL,
  actor_id uuid,
  target_type text NOT NULL,
  target_id uuid,
  ip_address text,
  details jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX audit_log_actor_id_idx ON audit_log (actor_id);
CREATE INDEX audit_log_organization_id_id_idx ON audit_log (organization_id, id);
-- Sign-ins are most of the entries, so reading past them would have no bound.
CREATE INDEX audit_log_without_sign_ins_idx ON audit_log (organization_id, id) WHERE action NOT IN ('session.created', 'session.closed');

CREATE TABLE retention_runs (
  id uuid PRIMARY KEY,
  job text NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamptz(3),
  rows_removed jsonb NOT NULL DEFAULT '{}',
  partitions_created integer NOT NULL DEFAULT 0,
  partitions_dropped integer NOT NULL DEFAULT 0,
  error text,
  table_rows jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX retention_runs_job_id_idx ON retention_runs (job, id);

CREATE TABLE metric_counters (
  name text NOT NULL,
  label text NOT NULL DEFAULT '',
  value bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (name, label)
);

CREATE TABLE process_figures (
  id uuid PRIMARY KEY,
  part text NOT NULL,
  pool_max integer NOT NULL,
  general_in_use integer NOT NULL,
  general_waiting integer NOT NULL,
  hot_in_use integer NOT NULL,
  hot_waiting integer NOT NULL,
  event_loop_delay_ms double precision NOT NULL,
  seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Which workers are alive: each keeps its row fresh, and deletes it when it stops.
CREATE TABLE workers (
  id uuid PRIMARY KEY,
  hostname text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  under_way integer NOT NULL,
  waiting integer NOT NULL,
  last_pass_at timestamptz(3),
  started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Rows are updated every few seconds while their period lasts. No index has a column that changes, so room in the page keeps these
-- updates out of the indexes.
CREATE TABLE stats (
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  period "StatPeriod" NOT NULL,
  subject_id uuid NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  events integer NOT NULL DEFAULT 0,
  incoming_verified integer NOT NULL DEFAULT 0,
  incoming_unsigned integer NOT NULL DEFAULT 0,
  incoming_rejected integer NOT NULL DEFAULT 0,
  succeeded integer NOT NULL DEFAULT 0,
  redirects integer NOT NULL DEFAULT 0,
  client_errors integer NOT NULL DEFAULT 0,
  server_errors integer NOT NULL DEFAULT 0,
  timeouts integer NOT NULL DEFAULT 0,
  no_responses integer NOT NULL DEFAULT 0,
  deliveries_failed integer NOT NULL DEFAULT 0,
  durations integer[] DEFAULT ARRAY[]::integer[],
  latencies integer[] DEFAULT ARRAY[]::integer[],
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (project_id, period, subject_id, starts_at)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- The targets with failures in a period.
CREATE INDEX stats_failures_idx ON stats (project_id, period, starts_at)
  WHERE subject_id <> project_id
    AND deliveries_failed + redirects + client_errors + server_errors + timeouts + no_responses > 0;
CREATE INDEX stats_period_starts_at_idx ON stats (period, starts_at);

-- A queue: its rows live for seconds. Compressing what is deleted next costs more than it saves.
CREATE TABLE stat_batches (
  id bigserial PRIMARY KEY,
  project_ids uuid[],
  target_ids uuid[],
  kinds "StatKind"[],
  are_last boolean[],
  durations_ms integer[],
  latencies_ms integer[],
  bytes integer[],
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE stat_batches ALTER project_ids SET STORAGE EXTERNAL, ALTER target_ids SET STORAGE EXTERNAL,
  ALTER kinds SET STORAGE EXTERNAL, ALTER are_last SET STORAGE EXTERNAL, ALTER durations_ms SET STORAGE EXTERNAL,
  ALTER latencies_ms SET STORAGE EXTERNAL, ALTER bytes SET STORAGE EXTERNAL;

-- The row of a project and today is updated every few seconds. Room in the page keeps these updates out of the indexes.
CREATE TABLE stored_bytes (
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  day date NOT NULL,
  events bigint NOT NULL DEFAULT 0,
  incoming_events bigint NOT NULL DEFAULT 0,
  succeeded_attempts bigint NOT NULL DEFAULT 0,
  failed_attempts bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (project_id, day)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX stored_bytes_day_idx ON stored_bytes (day);

-- The cap of attempts per delivery finds its candidates by deliveries.stored_attempts, and the statistics read a queue
-- (docs/decisions/042-stats-are-rolled-up-from-a-queue.md). The worker counts and queues what it records in the same statement, and
-- says so; what anything else inserts (an import, a restore) is counted here.
CREATE FUNCTION count_stored_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, created_at)
  SELECT ARRAY[NEW.project_id], ARRAY[coalesce(d.endpoint_id, d.destination_id)],
         ARRAY[CASE WHEN NEW.succeeded THEN 'SUCCEEDED'
                    WHEN NEW.error LIKE 'No % within %' THEN 'TIMED_OUT'
                    WHEN NEW.response_status BETWEEN 300 AND 399 THEN 'REDIRECT'
                    WHEN NEW.response_status BETWEEN 400 AND 499 THEN 'CLIENT_ERROR'
                    WHEN NEW.response_status >= 500 THEN 'SERVER_ERROR'
                    ELSE 'NO_RESPONSE' END::"StatKind"],
         ARRAY[d.status = 'FAILED' AND d.attempt_count = NEW.attempt_number], ARRAY[NEW.duration_ms],
         -- A delivery's id begins with the time of its event. A retry by hand would measure the person.
         ARRAY[CASE WHEN NEW.succeeded AND d.event_id IS NOT NULL AND d.attempt_count = d.schedule_step THEN
           least(2147483647, greatest(0, extract(epoch FROM NEW.started_at) * 1000 + NEW.duration_ms -
             ('x' || translate(left(d.id::text, 13), '-', ''))::bit(48)::bigint))::int END],
         NEW.created_at
  FROM deliveries d WHERE d.id = NEW.delivery_id;
  UPDATE deliveries SET stored_attempts = stored_attempts + 1 WHERE id = NEW.delivery_id;
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_attempts_count AFTER INSERT ON delivery_attempts FOR EACH ROW
  WHEN (current_setting('event_delivery.attempts_counted', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION count_stored_attempt();

-- The audit log is append only. The one change it knows is the scrubbing of an erased person, announced by the transaction
-- with SET LOCAL event_delivery.scrubbing = 'on', and even that may not touch what happened, when, or to what.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('event_delivery.scrubbing', true) = 'on'
     AND NEW.id = OLD.id AND NEW.action = OLD.action AND NEW.created_at = OLD.created_at
     AND NEW.organization_id IS NOT DISTINCT FROM OLD.organization_id
     AND NEW.actor_type = OLD.actor_type AND NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id
     AND NEW.target_type = OLD.target_type AND NEW.target_id IS NOT DISTINCT FROM OLD.target_id THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit_log is append only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- What ends a caller's access tells every web process in the same transaction, whichever statement does it, so that open
-- connections end at once. The payload is the id of the session, key, person, project or organization.
CREATE FUNCTION signal_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'memberships' THEN
    PERFORM pg_notify('eds_access', OLD.user_id::text);
  ELSE
    PERFORM pg_notify('eds_access', OLD.id::text);
  END IF;
  RETURN NULL;
END $$;

-- No trigger fires for the columns that change with each use, such as last_used_at.
CREATE TRIGGER sessions_access AFTER UPDATE OF closed_at, expires_at ON sessions FOR EACH ROW
  WHEN ((OLD.closed_at, OLD.expires_at) IS DISTINCT FROM (NEW.closed_at, NEW.expires_at))
  EXECUTE FUNCTION signal_access();
CREATE TRIGGER sessions_access_deleted AFTER DELETE ON sessions FOR EACH ROW
  WHEN (OLD.closed_at IS NULL AND OLD.expires_at > now())
  EXECUTE FUNCTION signal_access();

CREATE TRIGGER api_keys_access AFTER UPDATE OF revoked_at, grace_ends_at, expires_at ON api_keys FOR EACH ROW
  WHEN ((OLD.revoked_at, OLD.grace_ends_at, OLD.expires_at)
    IS DISTINCT FROM (NEW.revoked_at, NEW.grace_ends_at, NEW.expires_at))
  EXECUTE FUNCTION signal_access();

CREATE TRIGGER memberships_access AFTER UPDATE OF role ON memberships FOR EACH ROW
  WHEN (OLD.role IS DISTINCT FROM NEW.role)
  EXECUTE FUNCTION signal_access();
CREATE TRIGGER memberships_access_deleted AFTER DELETE ON memberships FOR EACH ROW
  EXECUTE FUNCTION signal_access();

CREATE TRIGGER users_access AFTER UPDATE OF erased_at ON users FOR EACH ROW
  WHEN (OLD.erased_at IS DISTINCT FROM NEW.erased_at)
  EXECUTE FUNCTION signal_access();
CREATE TRIGGER projects_access AFTER UPDATE OF deleted_at ON projects FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION signal_access();
CREATE TRIGGER organizations_access AFTER UPDATE OF deleted_at ON organizations FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION signal_access();
