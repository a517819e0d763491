-- A deleted organization has no members, and still counts for its owner until its rows are removed.
ALTER TABLE organizations ADD COLUMN deleted_tenant_id uuid;
CREATE INDEX organizations_deleted_tenant_id_idx ON organizations (deleted_tenant_id) WHERE deleted_tenant_id IS NOT NULL;
