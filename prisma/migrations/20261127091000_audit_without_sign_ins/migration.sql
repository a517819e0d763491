-- The audit log without sign-ins. They are most of its entries, so reading past them would have no bound.
CREATE INDEX "audit_log_without_sign_ins_idx" ON "audit_log" ("organization_id", "id")
  WHERE "action" NOT IN ('session.created', 'session.closed');
