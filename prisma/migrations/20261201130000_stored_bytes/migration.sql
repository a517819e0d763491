-- AlterTable
ALTER TABLE "stat_batches" ADD COLUMN     "bytes" INTEGER[];

-- CreateTable
CREATE TABLE "stored_bytes" (
    "project_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "events" BIGINT NOT NULL DEFAULT 0,
    "incoming_events" BIGINT NOT NULL DEFAULT 0,
    "succeeded_attempts" BIGINT NOT NULL DEFAULT 0,
    "failed_attempts" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stored_bytes_pkey" PRIMARY KEY ("project_id","day")
);

-- CreateIndex
CREATE INDEX "stored_bytes_day_idx" ON "stored_bytes"("day");

-- AddForeignKey
ALTER TABLE "stored_bytes" ADD CONSTRAINT "stored_bytes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- What Prisma has no word for.

-- The row of a project and today is updated every few seconds. Room in the page keeps these updates out of the indexes.
ALTER TABLE "stored_bytes" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "stat_batches" ALTER "bytes" SET STORAGE EXTERNAL;
