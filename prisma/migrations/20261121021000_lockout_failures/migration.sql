-- The times of the failures instead of a count and the start of its window: each failure is forgotten when it is older than
-- the window (AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES), not all of them at one moment.
-- DropIndex
DROP INDEX "login_lockouts_window_started_at_idx";

-- AlterTable
ALTER TABLE "login_lockouts" DROP COLUMN "failures",
DROP COLUMN "window_started_at",
ADD COLUMN "failed_at" TIMESTAMPTZ(3)[],
ADD COLUMN "last_failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "login_lockouts_last_failed_at_idx" ON "login_lockouts"("last_failed_at");
