-- What customers see of a project in the portal, and the pages that may frame it.
ALTER TABLE projects
  ADD COLUMN portal_name text,
  ADD COLUMN portal_accent_color text,
  ADD COLUMN portal_logo_url text,
  ADD COLUMN portal_logo_hash text,
  ADD COLUMN portal_allowed_origins text[] DEFAULT ARRAY[]::text[];

-- Apart from projects: every list of projects would read the pictures.
CREATE TABLE portal_logos (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  hash text NOT NULL,
  media_type text NOT NULL,
  content bytea NOT NULL
);
CREATE UNIQUE INDEX portal_logos_project_id_key ON portal_logos (project_id);
-- A logo is served by the hash of its content. Several projects may have the same one.
CREATE INDEX portal_logos_hash_idx ON portal_logos (hash);
