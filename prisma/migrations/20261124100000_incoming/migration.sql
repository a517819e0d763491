-- AlterTable
ALTER TABLE "sources" ADD COLUMN     "previous_secret_encrypted" BYTEA,
ADD COLUMN     "previous_secret_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_token_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_token_hash" BYTEA,
ADD COLUMN     "signature_prefix" TEXT;

-- AlterTable
ALTER TABLE "incoming_events" ADD COLUMN     "provider_event_id" TEXT;

-- DropIndex
DROP INDEX "incoming_events_source_id_idx";

-- CreateIndex
CREATE INDEX "incoming_events_source_id_id_idx" ON "incoming_events"("source_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sources_previous_token_hash_key" ON "sources"("previous_token_hash");

-- What Prisma has no word for.

-- A repeat of the provider finds its first request. Rows without a valid signature are not in it: a stranger must not be able
-- to claim an id before the provider does.
CREATE UNIQUE INDEX "incoming_events_provider_event_id_idx" ON "incoming_events" ("source_id", "provider_event_id")
  WHERE "provider_event_id" IS NOT NULL AND "verified" IS NOT FALSE;
-- Counts what was kept of requests without a valid signature in the last hour.
CREATE INDEX "incoming_events_unverified_idx" ON "incoming_events" ("source_id", "created_at") WHERE "verified" = false;
