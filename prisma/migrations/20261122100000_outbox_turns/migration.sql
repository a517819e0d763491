-- DropIndex
DROP INDEX "outbox_user_id_idx";

-- What Prisma has no word for.

-- Workers take outbox rows project by project, each its own oldest first, so that no project waits for another's backlog.
DROP INDEX "outbox_due_idx";
CREATE INDEX "outbox_project_due_idx" ON "outbox" ("project_id", "available_at", "id") WHERE "status" = 'PENDING' AND "kind" <> 'MAIL';

-- Rows that were taken twice and never finished: one of them may be what ended the workers that had them.
CREATE INDEX "outbox_quarantined_idx" ON "outbox" ("available_at") WHERE "status" = 'PENDING' AND "kind" <> 'MAIL' AND "attempts" >= 2;

-- Only mails have a user; an index over all rows would cost every event an entry.
CREATE INDEX "outbox_user_id_idx" ON "outbox" ("user_id") WHERE "user_id" IS NOT NULL;

-- Most deliveries are written once, in their final state: room for updates would stay empty.
ALTER TABLE "deliveries" RESET (fillfactor);
