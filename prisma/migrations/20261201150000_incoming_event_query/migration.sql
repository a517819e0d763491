-- The query string of an incoming request. Without a default, no row is rewritten; an older version stores none.

-- AlterTable
ALTER TABLE "incoming_events" ADD COLUMN "query" TEXT;
