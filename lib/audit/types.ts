/** Roles of a membership, least first (CONTRACT 1). */
export const ROLES = ['VIEWER', 'DEVELOPER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/** What the audit log can say. One word a fact, so that a filter finds it. */
export const AUDIT_ACTIONS = [
  'account.registered',
  'account.deleted',
  'account.email_verified',
  'account.password_added',
  'account.password_reset',
  'account.password_changed',
  'account.password_confirmed',
  'identity.linked',
  'session.created',
  'session.closed',
  'session.theft_detected',
  'device.approved',
  'device.denied',
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'organization.exported',
  'member.removed',
  'project.created',
  'project.updated',
  'project.deleted',
  'api_key.created',
  'api_key.revoked',
  'endpoint.created',
  'endpoint.updated',
  'endpoint.deleted',
  'endpoint.disabled',
  'endpoint.secret_revealed',
  'endpoint.secret_rotated',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
