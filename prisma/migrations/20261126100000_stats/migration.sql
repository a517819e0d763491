-- CreateEnum
CREATE TYPE "StatPeriod" AS ENUM ('MINUTE', 'HOUR', 'DAY');

-- CreateEnum
CREATE TYPE "StatKind" AS ENUM ('EVENT', 'INCOMING_VERIFIED', 'INCOMING_UNSIGNED', 'INCOMING_REJECTED', 'SUCCEEDED', 'REDIRECT', 'CLIENT_ERROR', 'SERVER_ERROR', 'TIMED_OUT', 'NO_RESPONSE', 'NOT_SENT');

-- CreateTable
CREATE TABLE "stats" (
    "project_id" UUID NOT NULL,
    "period" "StatPeriod" NOT NULL,
    "subject_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "events" INTEGER NOT NULL DEFAULT 0,
    "incoming_verified" INTEGER NOT NULL DEFAULT 0,
    "incoming_unsigned" INTEGER NOT NULL DEFAULT 0,
    "incoming_rejected" INTEGER NOT NULL DEFAULT 0,
    "succeeded" INTEGER NOT NULL DEFAULT 0,
    "redirects" INTEGER NOT NULL DEFAULT 0,
    "client_errors" INTEGER NOT NULL DEFAULT 0,
    "server_errors" INTEGER NOT NULL DEFAULT 0,
    "timeouts" INTEGER NOT NULL DEFAULT 0,
    "no_responses" INTEGER NOT NULL DEFAULT 0,
    "deliveries_failed" INTEGER NOT NULL DEFAULT 0,
    "durations" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "latencies" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stats_pkey" PRIMARY KEY ("project_id","period","subject_id","starts_at")
);

-- CreateTable
CREATE TABLE "stat_batches" (
    "id" BIGSERIAL NOT NULL,
    "project_ids" UUID[],
    "target_ids" UUID[],
    "kinds" "StatKind"[],
    "are_last" BOOLEAN[],
    "durations_ms" INTEGER[],
    "latencies_ms" INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stat_batches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stat_backfills" (
    "source" TEXT NOT NULL,
    "before" TIMESTAMPTZ(3) NOT NULL,
    "cursor" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stat_backfills_pkey" PRIMARY KEY ("source")
);

-- CreateIndex
CREATE INDEX "stats_period_starts_at_idx" ON "stats"("period", "starts_at");

-- AddForeignKey
ALTER TABLE "stats" ADD CONSTRAINT "stats_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- What Prisma has no word for.

-- Rows are updated every few seconds while their period lasts. No index has a column that changes, so room in the page
-- keeps these updates out of the indexes.
ALTER TABLE "stats" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- A queue: its rows live for seconds. Compressing what is deleted next costs more than it saves.
ALTER TABLE "stat_batches" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE "stat_batches" ALTER "project_ids" SET STORAGE EXTERNAL, ALTER "target_ids" SET STORAGE EXTERNAL,
  ALTER "kinds" SET STORAGE EXTERNAL, ALTER "are_last" SET STORAGE EXTERNAL, ALTER "durations_ms" SET STORAGE EXTERNAL,
  ALTER "latencies_ms" SET STORAGE EXTERNAL;

-- The targets with failures in a period.
CREATE INDEX "stats_failures_idx" ON "stats" ("project_id", "period", "starts_at")
  WHERE "subject_id" <> "project_id"
    AND "deliveries_failed" + "redirects" + "client_errors" + "server_errors" + "timeouts" + "no_responses" > 0;

-- The rows of before this migration are counted by the worker, in batches: this transaction must be short.
INSERT INTO "stat_backfills" ("source", "before")
SELECT source, clock_timestamp() FROM (VALUES
  ('attempts', EXISTS (SELECT FROM "delivery_attempts")), ('events', EXISTS (SELECT FROM "events")),
  ('incoming_events', EXISTS (SELECT FROM "incoming_events"))) s (source, has_rows)
WHERE has_rows;

-- The worker's statement queues what it records (docs/decisions/042-stats-are-rolled-up-from-a-queue.md). What anything
-- else inserts is queued here, by the trigger that counts it: "delivery_attempts_count".
CREATE OR REPLACE FUNCTION "count_stored_attempt"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "stat_batches" ("project_ids", "target_ids", "kinds", "are_last", "durations_ms", "latencies_ms", "created_at")
  SELECT ARRAY[NEW."project_id"], ARRAY[coalesce(d."endpoint_id", d."destination_id")],
         ARRAY[CASE WHEN NEW."succeeded" THEN 'SUCCEEDED'
                    WHEN NEW."error" LIKE 'No % within %' THEN 'TIMED_OUT'
                    WHEN NEW."response_status" BETWEEN 300 AND 399 THEN 'REDIRECT'
                    WHEN NEW."response_status" BETWEEN 400 AND 499 THEN 'CLIENT_ERROR'
                    WHEN NEW."response_status" >= 500 THEN 'SERVER_ERROR'
                    ELSE 'NO_RESPONSE' END::"StatKind"],
         ARRAY[d."status" = 'FAILED' AND d."attempt_count" = NEW."attempt_number"], ARRAY[NEW."duration_ms"],
         -- A delivery's id begins with the time of its event. A retry by hand would measure the person.
         ARRAY[CASE WHEN NEW."succeeded" AND d."event_id" IS NOT NULL AND d."attempt_count" = d."schedule_step" THEN
           least(2147483647, greatest(0, extract(epoch FROM NEW."started_at") * 1000 + NEW."duration_ms" -
             ('x' || translate(left(d."id"::text, 13), '-', ''))::bit(48)::bigint))::int END],
         NEW."created_at"
  FROM "deliveries" d WHERE d."id" = NEW."delivery_id";
  UPDATE "deliveries" SET "stored_attempts" = "stored_attempts" + 1 WHERE "id" = NEW."delivery_id";
  RETURN NULL;
END $$;
