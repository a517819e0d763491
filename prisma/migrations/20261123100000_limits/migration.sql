-- What Prisma has no word for.

-- A creation counts what the project has while it holds the project's lock. Deleted endpoints and ended keys stay in their
-- tables, in any number: these indexes keep the count from reading them.
CREATE INDEX "endpoints_present_idx" ON "endpoints" ("project_id") WHERE "deleted_at" IS NULL;
CREATE INDEX "api_keys_end_idx" ON "api_keys" ("project_id", (LEAST("expires_at", "grace_ends_at"))) WHERE "revoked_at" IS NULL;
