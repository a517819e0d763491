import { type Action, leastRole, may } from '@/lib/orgs/permissions-policy';
import type { OrganizationSummary } from '@/lib/orgs/schema';

export type Role = OrganizationSummary['role'];

/**
 * Why a role may not do something, for the control that stays visible; undefined when it may.
 * A role not known yet may: the server judges by the live membership anyway.
 */
export function roleDisabledReason(role: Role | undefined, action: Action): string | undefined {
  if (role === undefined || may(role, action)) return undefined;
  const least = leastRole(action);
  return `Your role here is ${role.toLowerCase()}; this needs ${least.toLowerCase()}${least === 'OWNER' ? '' : ' or higher'}.`;
}
