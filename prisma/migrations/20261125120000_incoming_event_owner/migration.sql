-- DropForeignKey
ALTER TABLE "incoming_events" DROP CONSTRAINT "incoming_events_project_id_fkey";

-- DropForeignKey
ALTER TABLE "incoming_events" DROP CONSTRAINT "incoming_events_source_id_fkey";

-- CreateIndex
CREATE UNIQUE INDEX "sources_id_project_id_key" ON "sources"("id", "project_id");

-- AddForeignKey
ALTER TABLE "incoming_events" ADD CONSTRAINT "incoming_events_source_id_project_id_fkey" FOREIGN KEY ("source_id", "project_id") REFERENCES "sources"("id", "project_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
