-- Removal looks at a bounded number of the deleted projects of each organization.
CREATE INDEX projects_deleted_idx ON projects (organization_id, id) WHERE deleted_at IS NOT NULL;
