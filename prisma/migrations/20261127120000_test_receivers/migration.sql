-- Columns without a default: no table is rewritten. An older version takes a test receiver for a tunnel without a client.

-- AlterTable
ALTER TABLE "tunnels" ADD COLUMN "test_status" INTEGER,
ADD COLUMN "test_delay_seconds" INTEGER;

-- What Prisma has no word for.

ALTER TABLE "tunnels" ADD CONSTRAINT "tunnels_test_response_check"
  CHECK (("test_status" IS NULL) = ("test_delay_seconds" IS NULL));
