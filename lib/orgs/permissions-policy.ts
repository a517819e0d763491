import { ROLES, type Role } from '@/lib/audit/types';

const OWNERS = ['OWNER'] as const satisfies readonly Role[];
const ADMINS = ['ADMIN', ...OWNERS] as const;
const DEVELOPERS = ['DEVELOPER', ...ADMINS] as const;
const MEMBERS = ['VIEWER', ...DEVELOPERS] as const;

/**
 * Which roles may do what in an organization (docs/specification.md#organizations-and-roles). The only such table:
 * routes authorize with it, tests try every route as every role with it, and the dashboard disables its controls with
 * it.
 */
export const PERMISSIONS = {
  'organization.read': MEMBERS,
  'organization.update': ADMINS,
  'organization.export': OWNERS,
  'organization.delete': OWNERS,
  'member.read': MEMBERS,
  /** Everybody may leave. Removing others is checked by the use case, since it depends on the member's role. */
  'member.leave': MEMBERS,
  'member.manage': ADMINS,
  'owner.manage': OWNERS,
  'invitation.manage': ADMINS,
  'audit_log.read': ADMINS,

  'project.read': MEMBERS,
  'project.manage': ADMINS,
  'api_key.read': MEMBERS,
  'api_key.manage': DEVELOPERS,
  'customer.read': MEMBERS,
  'customer.manage': DEVELOPERS,
  'endpoint.read': MEMBERS,
  'endpoint.manage': DEVELOPERS,
  'endpoint.secret': DEVELOPERS,
  'subscription.read': MEMBERS,
  'subscription.manage': DEVELOPERS,
  'source.read': MEMBERS,
  'source.manage': DEVELOPERS,
  'source.secret': DEVELOPERS,
  'destination.read': MEMBERS,
  'destination.manage': DEVELOPERS,
  'destination.secret': DEVELOPERS,
  'incoming_event.read': MEMBERS,
  'incoming_event.replay': DEVELOPERS,
  'tunnel.read': MEMBERS,
  'tunnel.manage': DEVELOPERS,
  'event.read': MEMBERS,
  'event_type.read': MEMBERS,
  'event_type.manage': DEVELOPERS,
  'delivery.read': MEMBERS,
  'delivery.retry': DEVELOPERS,
  'alert.read': MEMBERS,
  'alert.manage': ADMINS,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof PERMISSIONS;

/** Returns whether a role may perform an action. */
export function may(role: Role, action: Action): boolean {
  return (PERMISSIONS[action] as readonly Role[]).includes(role);
}

/**
 * Returns whether a role may change a member or an invitation from one role to another; `from` is absent when one
 * is added, `to` when one is removed. Only owners may change an OWNER.
 */
export function mayManage(
  actor: Role,
  what: 'member.manage' | 'invitation.manage',
  { from, to }: { from?: Role | undefined; to?: Role | undefined },
): boolean {
  const concernsOwner = from === 'OWNER' || to === 'OWNER';
  return may(actor, what) && (!concernsOwner || may(actor, 'owner.manage'));
}

/** Returns the lowest role that may perform an action, for the error. */
export function lowestRole(action: Action): Role {
  return ROLES.find((role) => may(role, action)) ?? 'OWNER';
}
