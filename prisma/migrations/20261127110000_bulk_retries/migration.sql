-- CreateEnum
CREATE TYPE "BulkRetryStatus" AS ENUM ('RUNNING', 'COMPLETED', 'CANCELED');

-- CreateTable
CREATE TABLE "bulk_retries" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "filter" JSONB NOT NULL,
    "delivery_ids" UUID[],
    "status" "BulkRetryStatus" NOT NULL DEFAULT 'RUNNING',
    "total" INTEGER NOT NULL,
    "retried" INTEGER NOT NULL DEFAULT 0,
    "skipped_pending" INTEGER NOT NULL DEFAULT 0,
    "skipped_disabled" INTEGER NOT NULL DEFAULT 0,
    "skipped_deleted" INTEGER NOT NULL DEFAULT 0,
    "skipped_gone" INTEGER NOT NULL DEFAULT 0,
    "last_delivery_id" UUID,
    "next_batch_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_retries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "bulk_retries_project_id_id_idx" ON "bulk_retries"("project_id", "id");

-- AddForeignKey
ALTER TABLE "bulk_retries" ADD CONSTRAINT "bulk_retries_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- What Prisma has no word for.

-- The queue of workers contains only running bulk retries.
CREATE INDEX "bulk_retries_due_idx" ON "bulk_retries" ("next_batch_at") WHERE "status" = 'RUNNING';
