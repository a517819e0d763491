-- A column without a default: no table is rewritten, and an older version leaves it null.

-- AlterTable
ALTER TABLE "destinations" ADD COLUMN "pause_reason" TEXT;
