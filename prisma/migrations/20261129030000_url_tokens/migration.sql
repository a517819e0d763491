-- The project of the token in the URL of a source or tunnel: whoever calls it names no organization, and so no cell
-- (docs/decisions/078-cells.md).
CREATE TABLE public.url_tokens (
  token_hash bytea PRIMARY KEY,
  -- The source or tunnel.
  parent_id uuid NOT NULL,
  project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE
);
CREATE INDEX url_tokens_project_id_parent_id_idx ON public.url_tokens (project_id, parent_id);

INSERT INTO public.url_tokens (token_hash, parent_id, project_id)
SELECT token_hash, id, project_id FROM cell_00.sources WHERE deleted_at IS NULL
UNION SELECT previous_token_hash, id, project_id FROM cell_00.sources WHERE previous_token_hash IS NOT NULL
UNION SELECT token_hash, id, project_id FROM cell_00.tunnels;

-- They belong to customers.
ALTER TABLE public.portal_sessions SET SCHEMA cell_00;
