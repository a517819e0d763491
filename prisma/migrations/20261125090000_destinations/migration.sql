-- CreateEnum
CREATE TYPE "ReplayStatus" AS ENUM ('RUNNING', 'COMPLETED', 'CANCELED', 'FAILED');

-- AlterTable
ALTER TABLE "destinations" ADD COLUMN     "description" TEXT,
ADD COLUMN     "previous_secret_encrypted" BYTEA,
ADD COLUMN     "previous_secret_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "retry_seconds" INTEGER[],
ADD COLUMN     "secret_encrypted" BYTEA;

-- CreateTable
CREATE TABLE "incoming_event_replays" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "destination_id" UUID,
    "created_from" TIMESTAMPTZ(3),
    "created_to" TIMESTAMPTZ(3) NOT NULL,
    "status" "ReplayStatus" NOT NULL DEFAULT 'RUNNING',
    "total" INTEGER NOT NULL,
    "replayed" INTEGER NOT NULL DEFAULT 0,
    "last_incoming_event_id" UUID,
    "error" TEXT,
    "next_batch_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "incoming_event_replays_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "incoming_event_replays_project_id_id_idx" ON "incoming_event_replays"("project_id", "id");

-- AddForeignKey
ALTER TABLE "incoming_event_replays" ADD CONSTRAINT "incoming_event_replays_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "incoming_event_replays" ADD CONSTRAINT "incoming_event_replays_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "sources"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "incoming_event_replays" ADD CONSTRAINT "incoming_event_replays_destination_id_fkey" FOREIGN KEY ("destination_id") REFERENCES "destinations"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- What Prisma has no word for.

-- The queue of workers contains only running replays.
CREATE INDEX "incoming_event_replays_due_idx" ON "incoming_event_replays" ("next_batch_at") WHERE "status" = 'RUNNING';
