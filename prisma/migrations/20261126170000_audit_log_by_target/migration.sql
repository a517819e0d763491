CREATE INDEX audit_log_organization_id_target_id_id_idx ON audit_log (organization_id, target_id, id);
