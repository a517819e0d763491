import type { OrganizationSummary } from '@/lib/orgs/schema';

export type Role = OrganizationSummary['role'];

const RANK: Record<Role, number> = { VIEWER: 0, DEVELOPER: 1, ADMIN: 2, OWNER: 3 };
const NAME: Record<Role, string> = { VIEWER: 'viewer', DEVELOPER: 'developer', ADMIN: 'admin', OWNER: 'owner' };

/**
 * Why a role may not do something, for the control that stays visible; undefined when it may.
 * A role not known yet may: the server judges by the live membership anyway.
 */
export function roleRefusal(role: Role | undefined, least: Role): string | undefined {
  if (role === undefined || RANK[role] >= RANK[least]) return undefined;
  return `Your role here is ${NAME[role]}; this needs ${NAME[least]} or higher.`;
}
