-- CreateIndex
CREATE INDEX "tunnel_request_log_project_id_id_idx" ON "tunnel_request_log"("project_id", "id");

-- What Prisma has no word for.

-- Workers look every minute for what is deleted and not yet removed: nothing else is in these.
CREATE INDEX "users_erased_at_idx" ON "users" ("erased_at") WHERE "erased_at" IS NOT NULL;
CREATE INDEX "organizations_deleted_at_idx" ON "organizations" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "projects_deleted_at_idx" ON "projects" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- Removing an organization looks for the people who left off in it.
CREATE INDEX "users_last_organization_id_idx" ON "users" ("last_organization_id") WHERE "last_organization_id" IS NOT NULL;
