import { ROLES, type Role } from '@/lib/audit/types';

const OWNERS = ['OWNER'] as const satisfies readonly Role[];
const ADMINS = ['ADMIN', ...OWNERS] as const;
const DEVELOPERS = ['DEVELOPER', ...ADMINS] as const;
const MEMBERS = ['VIEWER', ...DEVELOPERS] as const;

/**
 * Who may do what in an organization (CONTRACT 1, Roles; 10): action → roles. The one table: routes are authorized by it,
 * the tests that try every route as every role read it, and the dashboard disables its controls by it.
 */
export const PERMISSIONS = {
  'organization.read': MEMBERS,
  'organization.update': ADMINS,
  'organization.export': OWNERS,
  'organization.delete': OWNERS,
  'member.read': MEMBERS,
  /** Everybody may leave; whose membership an ADMIN may not touch is judged by the use case: an OWNER's. */
  'member.leave': MEMBERS,
  'member.manage': ADMINS,
  'owner.manage': OWNERS,
  'invitation.manage': ADMINS,
  'audit_log.read': ADMINS,

  'project.read': MEMBERS,
  'project.manage': ADMINS,
  'api_key.read': MEMBERS,
  'api_key.manage': DEVELOPERS,
  'endpoint.read': MEMBERS,
  'endpoint.manage': DEVELOPERS,
  'endpoint.secret': DEVELOPERS,
  'subscription.read': MEMBERS,
  'subscription.manage': DEVELOPERS,
  'event.read': MEMBERS,
  'delivery.read': MEMBERS,
  'delivery.retry': DEVELOPERS,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof PERMISSIONS;

/** Whether a role may do something. */
export function may(role: Role, action: Action): boolean {
  return (PERMISSIONS[action] as readonly Role[]).includes(role);
}

/**
 * Whether a role may take a member, or an invitation, from one role to another; `from` and `to` are absent where there is
 * none before or after. Where an OWNER is concerned only owners may (CONTRACT 1, Roles).
 */
export function mayManage(
  actor: Role,
  what: 'member.manage' | 'invitation.manage',
  { from, to }: { from?: Role | undefined; to?: Role | undefined },
): boolean {
  const concernsOwner = from === 'OWNER' || to === 'OWNER';
  return may(actor, what) && (!concernsOwner || may(actor, 'owner.manage'));
}

/** The least of the roles that may do something: what a refusal asks for. */
export function leastRole(action: Action): Role {
  return ROLES.find((role) => may(role, action)) ?? 'OWNER';
}
