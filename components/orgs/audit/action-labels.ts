import type { AuditLogEntry } from '@/lib/audit/schema';
import { AUDIT_ACTIONS, type AuditAction } from '@/lib/audit/types';

export const ACTION_LABELS: Record<AuditAction, string> = {
  'account.registered': 'Account created',
  'account.deleted': 'Account deleted',
  'account.email_verified': 'Email address confirmed',
  'account.password_added': 'Password added',
  'account.password_reset': 'Password reset',
  'account.password_changed': 'Password changed',
  'account.password_confirmed': 'Password confirmed',
  'account.searched': 'Accounts searched',
  'account.unlocked': 'Lockout ended',
  'account.sessions_closed': 'All sessions closed',
  'identity.linked': 'Sign-in provider linked',
  'session.created': 'Signed in',
  'session.closed': 'Session closed',
  'session.theft_detected': 'Session closed after token theft',
  'device.approved': 'Device approved',
  'device.denied': 'Device denied',
  'organization.created': 'Organization created',
  'organization.updated': 'Organization changed',
  'organization.deleted': 'Organization deleted',
  'organization.exported': 'Organization exported',
  'organization.viewed': 'Organization viewed',
  'organization.moved': 'Organization moved to another cell',
  'member.added': 'Member joined',
  'member.role_changed': 'Role changed',
  'member.removed': 'Member removed',
  'member.left': 'Member left',
  'invitation.created': 'Invitation created',
  'invitation.link_created': 'Invitation link created',
  'invitation.link_revoked': 'Invitation link revoked',
  'invitation.revoked': 'Invitation revoked',
  'invitation.accepted': 'Invitation accepted',
  'project.created': 'Project created',
  'project.updated': 'Project changed',
  'project.deleted': 'Project deleted',
  'api_key.created': 'API key created',
  'api_key.rotated': 'API key rotated',
  'api_key.revoked': 'API key revoked',
  'customer.created': 'Customer created',
  'customer.updated': 'Customer changed',
  'customer.deleted': 'Customer deleted',
  'customer.portal_link_created': 'Portal link created',
  'customer.portal_sessions_ended': 'Portal sessions ended',
  'event_type.created': 'Event type created',
  'event_type.updated': 'Event type changed',
  'event_type.deleted': 'Event type deleted',
  'endpoint.created': 'Endpoint created',
  'endpoint.updated': 'Endpoint changed',
  'endpoint.deleted': 'Endpoint deleted',
  'endpoint.disabled': 'Endpoint disabled',
  'endpoint.secret_revealed': 'Endpoint secret shown',
  'endpoint.secret_rotated': 'Endpoint secret rotated',
  'endpoint.previous_secret_ended': 'Endpoint’s previous secret ended',
  'subscription.created': 'Subscription created',
  'subscription.updated': 'Subscription changed',
  'subscription.deleted': 'Subscription deleted',
  'source.created': 'Source created',
  'source.updated': 'Source changed',
  'source.deleted': 'Source deleted',
  'source.secret_revealed': 'Source secret shown',
  'source.secret_rotated': 'Source secret rotated',
  'source.previous_secret_ended': 'Source’s previous secret ended',
  'source.url_rotated': 'Source URL rotated',
  'destination.created': 'Destination created',
  'destination.updated': 'Destination changed',
  'destination.deleted': 'Destination deleted',
  'destination.disabled': 'Destination disabled',
  'destination.secret_revealed': 'Destination secret shown',
  'destination.secret_rotated': 'Destination secret rotated',
  'destination.previous_secret_ended': 'Destination’s previous secret ended',
  'destination.secret_removed': 'Destination secret removed',
  'delivery.created': 'Event sent to an endpoint',
  'bulk_retry.created': 'Bulk retry started',
  'bulk_retry.canceled': 'Bulk retry canceled',
  'bulk_retry.failed': 'Bulk retry failed',
  'event_replay.created': 'Event replay started',
  'event_replay.canceled': 'Event replay canceled',
  'event_replay.failed': 'Event replay failed',
  'incoming_event.replayed': 'Incoming event replayed',
  'replay.created': 'Replay started',
  'replay.canceled': 'Replay canceled',
  'replay.failed': 'Replay failed',
  'tunnel.created': 'Tunnel created',
  'tunnel.updated': 'Tunnel changed',
  'tunnel.deleted': 'Tunnel deleted',
  'tunnel.url_rotated': 'Tunnel URL rotated',
  'alert.created': 'Alert created',
  'alert.updated': 'Alert changed',
  'alert.deleted': 'Alert deleted',
  'alert.disabled': 'Alert disabled',
  'alert.secret_revealed': 'Alert secret shown',
  'alert.secret_rotated': 'Alert secret rotated',
  'audit_log.viewed': 'Audit log viewed',
  'retention.started': 'Cleanup started',
};

/** The actions to choose from, by label. */
export const ACTION_OPTIONS = AUDIT_ACTIONS.map((value) => ({
  value: value as string,
  label: ACTION_LABELS[value],
})).toSorted((a, b) => a.label.localeCompare(b.label, 'en'));

/** Returns the label of an action, or the action itself when it is unknown: entries outlive removed actions. */
export function actionLabel(action: string): string {
  return Object.hasOwn(ACTION_LABELS, action) ? ACTION_LABELS[action as AuditAction] : action;
}

const TARGET_LABELS: Record<string, string> = { api_key: 'API key', user: 'Person' };

/** Returns the label of a target type: "api_key" → "API key", "project" → "Project". */
export function targetLabel(type: string): string {
  const plain = type.replaceAll('_', ' ');
  return TARGET_LABELS[type] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

const NAMELESS_ACTORS: Record<AuditLogEntry['actor']['type'], string> = {
  USER: 'Deleted account',
  API_KEY: 'API key',
  PORTAL: 'Customer',
  OPERATOR: 'Operator',
  SYSTEM: 'System',
};

/** Returns the address of a person, or the name of a key or customer, or what the actor is. */
export function actorLabel({ type, email, name }: AuditLogEntry['actor']): string {
  return email ?? name ?? NAMELESS_ACTORS[type];
}
