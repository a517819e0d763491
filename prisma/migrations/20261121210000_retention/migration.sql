-- AlterTable
ALTER TABLE "retention_runs" ADD COLUMN     "table_rows" JSONB;

-- CreateIndex
CREATE INDEX "events_created_at_id_idx" ON "events"("created_at", "id");

-- CreateIndex
CREATE INDEX "incoming_events_created_at_id_idx" ON "incoming_events"("created_at", "id");

-- What Prisma has no word for.

-- An event may not leave while it waits to be fanned out, and its dead rows leave with it.
CREATE INDEX "outbox_event_id_idx" ON "outbox" ("event_id") WHERE "event_id" IS NOT NULL;
CREATE INDEX "outbox_incoming_event_id_idx" ON "outbox" ("incoming_event_id") WHERE "incoming_event_id" IS NOT NULL;

-- Sessions that were closed before their time; the others end by expires_at.
CREATE INDEX "sessions_closed_at_idx" ON "sessions" ("closed_at") WHERE "closed_at" IS NOT NULL;

-- The cap of attempts per delivery finds its candidates by deliveries.stored_attempts. The worker counts there what it
-- records, in the same statement, and says so; what anything else inserts (an import, a restore) is counted here.
CREATE FUNCTION "count_stored_attempt"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "deliveries" SET "stored_attempts" = "stored_attempts" + 1 WHERE "id" = NEW."delivery_id";
  RETURN NULL;
END $$;
CREATE TRIGGER "delivery_attempts_count" AFTER INSERT ON "delivery_attempts" FOR EACH ROW
  WHEN (current_setting('event_delivery.attempts_counted', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION "count_stored_attempt"();
