-- What ends a caller's access tells every web process in the same transaction, whichever statement does it, so that open
-- connections end at once. The payload is the id of the session, key, person, project or organization.
CREATE FUNCTION "signal_access"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'memberships' THEN
    PERFORM pg_notify('eds_access', OLD."user_id"::text);
  ELSE
    PERFORM pg_notify('eds_access', OLD."id"::text);
  END IF;
  RETURN NULL;
END $$;

-- No trigger fires for the columns that change with each use, such as last_used_at.
CREATE TRIGGER "sessions_access" AFTER UPDATE OF "closed_at", "expires_at" ON "sessions" FOR EACH ROW
  WHEN ((OLD."closed_at", OLD."expires_at") IS DISTINCT FROM (NEW."closed_at", NEW."expires_at"))
  EXECUTE FUNCTION "signal_access"();
CREATE TRIGGER "sessions_access_deleted" AFTER DELETE ON "sessions" FOR EACH ROW
  WHEN (OLD."closed_at" IS NULL AND OLD."expires_at" > now())
  EXECUTE FUNCTION "signal_access"();

CREATE TRIGGER "api_keys_access" AFTER UPDATE OF "revoked_at", "grace_ends_at", "expires_at" ON "api_keys" FOR EACH ROW
  WHEN ((OLD."revoked_at", OLD."grace_ends_at", OLD."expires_at")
    IS DISTINCT FROM (NEW."revoked_at", NEW."grace_ends_at", NEW."expires_at"))
  EXECUTE FUNCTION "signal_access"();

CREATE TRIGGER "memberships_access" AFTER UPDATE OF "role" ON "memberships" FOR EACH ROW
  WHEN (OLD."role" IS DISTINCT FROM NEW."role")
  EXECUTE FUNCTION "signal_access"();
CREATE TRIGGER "memberships_access_deleted" AFTER DELETE ON "memberships" FOR EACH ROW
  EXECUTE FUNCTION "signal_access"();

CREATE TRIGGER "users_access" AFTER UPDATE OF "erased_at" ON "users" FOR EACH ROW
  WHEN (OLD."erased_at" IS DISTINCT FROM NEW."erased_at")
  EXECUTE FUNCTION "signal_access"();
CREATE TRIGGER "projects_access" AFTER UPDATE OF "deleted_at" ON "projects" FOR EACH ROW
  WHEN (OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at")
  EXECUTE FUNCTION "signal_access"();
CREATE TRIGGER "organizations_access" AFTER UPDATE OF "deleted_at" ON "organizations" FOR EACH ROW
  WHEN (OLD."deleted_at" IS DISTINCT FROM NEW."deleted_at")
  EXECUTE FUNCTION "signal_access"();
