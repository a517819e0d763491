-- CreateEnum
CREATE TYPE "Role" AS ENUM ('OWNER', 'ADMIN', 'DEVELOPER', 'VIEWER');

-- CreateEnum
CREATE TYPE "SessionMethod" AS ENUM ('PASSWORD', 'IDP', 'DEVICE');

-- CreateEnum
CREATE TYPE "UserTokenPurpose" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD', 'CONFIRM_PASSWORD');

-- CreateEnum
CREATE TYPE "DeviceCodeStatus" AS ENUM ('PENDING', 'APPROVED', 'DENIED', 'EXCHANGED');

-- CreateEnum
CREATE TYPE "KeyScope" AS ENUM ('READ_WRITE', 'READ_ONLY');

-- CreateEnum
CREATE TYPE "SourceProvider" AS ENUM ('NONE', 'GENERIC_HMAC', 'STANDARD_WEBHOOKS', 'STRIPE', 'GITHUB', 'SHOPIFY', 'SLACK');

-- CreateEnum
CREATE TYPE "DeliveryStatus" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');

-- CreateEnum
CREATE TYPE "OutboxKind" AS ENUM ('EVENT', 'INCOMING_EVENT', 'MAIL');

-- CreateEnum
CREATE TYPE "OutboxStatus" AS ENUM ('PENDING', 'DEAD');

-- CreateEnum
CREATE TYPE "ActorType" AS ENUM ('USER', 'API_KEY', 'OPERATOR', 'SYSTEM');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT,
    "password_confirmed" BOOLEAN NOT NULL DEFAULT true,
    "email_verified_at" TIMESTAMPTZ(3),
    "last_organization_id" UUID,
    "erased_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identities" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "organization_id" UUID,
    "method" "SessionMethod" NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "client_name" TEXT,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "spent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_tokens" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "purpose" "UserTokenPurpose" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_codes" (
    "id" UUID NOT NULL,
    "device_code_hash" BYTEA NOT NULL,
    "user_code_hash" BYTEA NOT NULL,
    "client_name" TEXT,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "status" "DeviceCodeStatus" NOT NULL DEFAULT 'PENDING',
    "user_id" UUID,
    "organization_id" UUID,
    "interval_seconds" INTEGER NOT NULL DEFAULT 5,
    "last_polled_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_lockouts" (
    "address_hash" BYTEA NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "locked_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "login_lockouts_pkey" PRIMARY KEY ("address_hash")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "Role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "scope" "KeyScope" NOT NULL DEFAULT 'READ_WRITE',
    "key_hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "rotated_at" TIMESTAMPTZ(3),
    "grace_ends_at" TIMESTAMPTZ(3),
    "replaces_id" UUID,
    "created_by_id" UUID,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "endpoints" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "retry_seconds" INTEGER[],
    "secret_encrypted" BYTEA,
    "previous_secret_encrypted" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sources" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "provider" "SourceProvider" NOT NULL DEFAULT 'NONE',
    "token_hash" BYTEA NOT NULL,
    "token_encrypted" BYTEA NOT NULL,
    "secret_encrypted" BYTEA,
    "signature_header" TEXT,
    "signature_encoding" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "destinations" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "auth_encrypted" BYTEA,
    "failing_since" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "destinations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "body_hash" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "incoming_events" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "verified" BOOLEAN,
    "method" TEXT NOT NULL,
    "content_type" TEXT,
    "headers" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "size" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "incoming_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "event_id" UUID,
    "incoming_event_id" UUID,
    "endpoint_id" UUID,
    "destination_id" UUID,
    "status" "DeliveryStatus" NOT NULL DEFAULT 'PENDING',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "schedule_step" INTEGER NOT NULL DEFAULT 0,
    "stored_attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6),
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_response_status" INTEGER,
    "last_error" TEXT,
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "attempt_number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,
    "succeeded" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("delivery_id","attempt_number","succeeded","created_at")
) PARTITION BY LIST ("succeeded");

-- CreateTable
CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "kind" "OutboxKind" NOT NULL,
    "project_id" UUID,
    "event_id" UUID,
    "incoming_event_id" UUID,
    "user_id" UUID,
    "payload_encrypted" BYTEA,
    "status" "OutboxStatus" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "available_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dead_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tunnels" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "token_encrypted" BYTEA NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tunnels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tunnel_request_log" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "tunnel_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "response_status" INTEGER,
    "duration_ms" INTEGER,
    "request_size" INTEGER NOT NULL,
    "response_size" INTEGER,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tunnel_request_log_pkey" PRIMARY KEY ("tunnel_id","id","created_at")
) PARTITION BY RANGE ("created_at");

-- CreateTable
CREATE TABLE "audit_log" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "action" TEXT NOT NULL,
    "actor_type" "ActorType" NOT NULL,
    "actor_id" UUID,
    "target_type" TEXT NOT NULL,
    "target_id" UUID,
    "ip_address" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "retention_runs" (
    "id" UUID NOT NULL,
    "job" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "rows_removed" JSONB NOT NULL DEFAULT '{}',
    "partitions_created" INTEGER NOT NULL DEFAULT 0,
    "partitions_dropped" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retention_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "metric_counters" (
    "name" TEXT NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "value" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "metric_counters_pkey" PRIMARY KEY ("name","label")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "identities_issuer_subject_key" ON "identities"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "identities_user_id_issuer_key" ON "identities"("user_id", "issuer");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_organization_id_idx" ON "sessions"("organization_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_token_hash_key" ON "refresh_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens"("session_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_tokens_token_hash_key" ON "user_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "user_tokens_user_id_purpose_idx" ON "user_tokens"("user_id", "purpose");

-- CreateIndex
CREATE INDEX "user_tokens_expires_at_idx" ON "user_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_codes_device_code_hash_key" ON "device_codes"("device_code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "device_codes_user_code_hash_key" ON "device_codes"("user_code_hash");

-- CreateIndex
CREATE INDEX "device_codes_user_id_idx" ON "device_codes"("user_id");

-- CreateIndex
CREATE INDEX "device_codes_organization_id_idx" ON "device_codes"("organization_id");

-- CreateIndex
CREATE INDEX "device_codes_expires_at_idx" ON "device_codes"("expires_at");

-- CreateIndex
CREATE INDEX "login_lockouts_window_started_at_idx" ON "login_lockouts"("window_started_at");

-- CreateIndex
CREATE INDEX "rate_limits_expire_idx" ON "rate_limits"("expire");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_organization_id_idx" ON "invitations"("organization_id");

-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- CreateIndex
CREATE INDEX "invitations_expires_at_idx" ON "invitations"("expires_at");

-- CreateIndex
CREATE INDEX "projects_organization_id_idx" ON "projects"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_replaces_id_key" ON "api_keys"("replaces_id");

-- CreateIndex
CREATE INDEX "api_keys_project_id_id_idx" ON "api_keys"("project_id", "id");

-- CreateIndex
CREATE INDEX "endpoints_project_id_id_idx" ON "endpoints"("project_id", "id");

-- CreateIndex
CREATE INDEX "subscriptions_project_id_id_idx" ON "subscriptions"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_endpoint_id_event_type_key" ON "subscriptions"("endpoint_id", "event_type");

-- CreateIndex
CREATE UNIQUE INDEX "sources_token_hash_key" ON "sources"("token_hash");

-- CreateIndex
CREATE INDEX "sources_project_id_id_idx" ON "sources"("project_id", "id");

-- CreateIndex
CREATE INDEX "destinations_project_id_id_idx" ON "destinations"("project_id", "id");

-- CreateIndex
CREATE INDEX "destinations_source_id_idx" ON "destinations"("source_id");

-- CreateIndex
CREATE INDEX "events_project_id_id_idx" ON "events"("project_id", "id");

-- CreateIndex
CREATE INDEX "events_project_id_type_id_idx" ON "events"("project_id", "type", "id");

-- CreateIndex
CREATE INDEX "incoming_events_project_id_id_idx" ON "incoming_events"("project_id", "id");

-- CreateIndex
CREATE INDEX "incoming_events_source_id_idx" ON "incoming_events"("source_id");

-- CreateIndex
CREATE INDEX "deliveries_event_id_idx" ON "deliveries"("event_id");

-- CreateIndex
CREATE INDEX "deliveries_project_id_id_idx" ON "deliveries"("project_id", "id");

-- CreateIndex
CREATE INDEX "deliveries_endpoint_id_id_idx" ON "deliveries"("endpoint_id", "id");

-- CreateIndex
CREATE INDEX "outbox_user_id_idx" ON "outbox"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "tunnels_token_hash_key" ON "tunnels"("token_hash");

-- CreateIndex
CREATE INDEX "tunnels_project_id_id_idx" ON "tunnels"("project_id", "id");

-- CreateIndex
CREATE INDEX "audit_log_organization_id_id_idx" ON "audit_log"("organization_id", "id");

-- CreateIndex
CREATE INDEX "audit_log_actor_id_idx" ON "audit_log"("actor_id");

-- CreateIndex
CREATE INDEX "retention_runs_job_id_idx" ON "retention_runs"("job", "id");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_last_organization_id_fkey" FOREIGN KEY ("last_organization_id") REFERENCES "organizations"("id") ON DELETE SET NULL ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE SET NULL ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "user_tokens" ADD CONSTRAINT "user_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_replaces_id_fkey" FOREIGN KEY ("replaces_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "endpoints" ADD CONSTRAINT "endpoints_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoints"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sources" ADD CONSTRAINT "sources_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "incoming_events" ADD CONSTRAINT "incoming_events_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "incoming_events" ADD CONSTRAINT "incoming_events_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_incoming_event_id_fkey" FOREIGN KEY ("incoming_event_id") REFERENCES "incoming_events"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoints"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_destination_id_fkey" FOREIGN KEY ("destination_id") REFERENCES "destinations"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tunnels" ADD CONSTRAINT "tunnels_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- What Prisma has no word for.

-- Partitions live in a schema of their own, so that public shows the model and Prisma sees no partition.
CREATE SCHEMA "partitions";

-- Successes and failures leave at different ages, so each is a branch of its own, by UTC day below it: a whole period of
-- either leaves by dropping a partition. Retention makes the days; the defaults catch what came before it ran.
CREATE TABLE "partitions"."delivery_attempts_succeeded" PARTITION OF "delivery_attempts" FOR VALUES IN (true) PARTITION BY RANGE ("created_at");
CREATE TABLE "partitions"."delivery_attempts_failed" PARTITION OF "delivery_attempts" FOR VALUES IN (false) PARTITION BY RANGE ("created_at");
CREATE TABLE "partitions"."delivery_attempts_succeeded_default" PARTITION OF "partitions"."delivery_attempts_succeeded" DEFAULT;
CREATE TABLE "partitions"."delivery_attempts_failed_default" PARTITION OF "partitions"."delivery_attempts_failed" DEFAULT;
CREATE TABLE "partitions"."tunnel_request_log_default" PARTITION OF "tunnel_request_log" DEFAULT;

-- An idempotency key is remembered for as long as its event is kept.
CREATE UNIQUE INDEX "events_project_id_idempotency_key_key" ON "events" ("project_id", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;

-- The queue: what is due, and nothing else, is in these.
CREATE INDEX "outbox_due_idx" ON "outbox" ("available_at", "id") WHERE "status" = 'PENDING' AND "kind" <> 'MAIL';
CREATE INDEX "outbox_mail_due_idx" ON "outbox" ("available_at", "id") WHERE "status" = 'PENDING' AND "kind" = 'MAIL';
CREATE INDEX "outbox_dead_idx" ON "outbox" ("dead_at") WHERE "status" = 'DEAD';
CREATE INDEX "deliveries_due_idx" ON "deliveries" ("next_attempt_at") WHERE "status" = 'PENDING';
-- Claims go target by target, each its own oldest first: one with much due costs the others nothing.
CREATE INDEX "deliveries_target_due_idx" ON "deliveries" ((coalesce("endpoint_id", "destination_id")), "next_attempt_at") WHERE "status" = 'PENDING';

-- Most deliveries succeed: only the others are worth finding by status.
CREATE INDEX "deliveries_unsucceeded_idx" ON "deliveries" ("project_id", "status", "id") WHERE "status" <> 'SUCCEEDED';
CREATE INDEX "deliveries_incoming_event_id_idx" ON "deliveries" ("incoming_event_id") WHERE "incoming_event_id" IS NOT NULL;
CREATE INDEX "deliveries_destination_id_id_idx" ON "deliveries" ("destination_id", "id") WHERE "destination_id" IS NOT NULL;

-- Candidates of the attempts-per-delivery cap.
CREATE INDEX "deliveries_stored_attempts_idx" ON "deliveries" ("stored_attempts") WHERE "stored_attempts" > 1;

-- A delivery is of one event or one incoming event, to one endpoint or one destination.
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_one_origin_check" CHECK (num_nonnulls("event_id", "incoming_event_id") = 1);
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_one_target_check" CHECK (num_nonnulls("endpoint_id", "destination_id") = 1);
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_pending_is_due_check" CHECK ("status" <> 'PENDING' OR "next_attempt_at" IS NOT NULL);
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_dead_has_time_check" CHECK (("status" = 'DEAD') = ("dead_at" IS NOT NULL));

-- Queues turn over whole many times a day: vacuum by rows, not by share of the table.
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE "deliveries" SET (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- The audit log is append only. The one change it knows is the scrubbing of an erased person, announced by the transaction
-- with SET LOCAL event_delivery.scrubbing = 'on', and even that may not touch what happened, when, or to what.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('event_delivery.scrubbing', true) = 'on'
     AND NEW."id" = OLD."id" AND NEW."action" = OLD."action" AND NEW."created_at" = OLD."created_at"
     AND NEW."organization_id" IS NOT DISTINCT FROM OLD."organization_id"
     AND NEW."actor_type" = OLD."actor_type" AND NEW."actor_id" IS NOT DISTINCT FROM OLD."actor_id"
     AND NEW."target_type" = OLD."target_type" AND NEW."target_id" IS NOT DISTINCT FROM OLD."target_id" THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit_log is append only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_log_no_truncate" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
