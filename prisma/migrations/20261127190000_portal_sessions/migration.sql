ALTER TYPE "ActorType" ADD VALUE 'PORTAL';
CREATE TYPE "PortalPermissions" AS ENUM ('READ', 'MANAGE');
-- A link to a customer's portal, and the session that it opens once. Only SHA-256 of link and token are kept.
-- expires_at is that of the link until it has a token, then that of the session.
CREATE TABLE portal_sessions (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  customer_id uuid NOT NULL REFERENCES customers ON DELETE CASCADE,
  permissions "PortalPermissions" NOT NULL,
  session_seconds integer NOT NULL,
  link_hash bytea NOT NULL,
  token_hash bytea,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX portal_sessions_link_hash_key ON portal_sessions (link_hash);
CREATE UNIQUE INDEX portal_sessions_token_hash_key ON portal_sessions (token_hash);
CREATE INDEX portal_sessions_project_id_id_idx ON portal_sessions (project_id, id);
CREATE INDEX portal_sessions_customer_id_id_idx ON portal_sessions (customer_id, id);
CREATE INDEX portal_sessions_expires_at_idx ON portal_sessions (expires_at);
