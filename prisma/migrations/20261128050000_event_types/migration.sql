-- The catalogue of event types, and what happens to events that differ from it.
CREATE TYPE public."EventTypePolicy" AS ENUM ('OPEN', 'REPORT', 'STRICT');
ALTER TABLE public.projects ADD COLUMN event_type_policy public."EventTypePolicy" NOT NULL DEFAULT 'OPEN';

CREATE TYPE "EventTypeStatus" AS ENUM ('ACTIVE', 'DEPRECATED');
CREATE TABLE event_types (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects ON DELETE RESTRICT,
  name text NOT NULL,
  description text,
  group_name text,
  status "EventTypeStatus" NOT NULL DEFAULT 'ACTIVE',
  schema text,
  example text,
  mismatch_count bigint NOT NULL DEFAULT 0,
  last_mismatch_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX event_types_project_id_name_key ON event_types (project_id, name);
CREATE INDEX event_types_project_id_id_idx ON event_types (project_id, id);
