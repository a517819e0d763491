import { type Action, lowestRole, may } from '@/lib/orgs/permissions-policy';
import type { OrganizationSummary } from '@/lib/orgs/schema';

export type Role = OrganizationSummary['role'];

/**
 * Returns why a role cannot do something, for a visible but disabled control; undefined when it can.
 * An unknown role can: the server checks the current membership in any case.
 */
export function roleDisabledReason(role: Role | undefined, action: Action): string | undefined {
  if (role === undefined || may(role, action)) return undefined;
  const least = lowestRole(action);
  return `Your role here is ${role.toLowerCase()}; this needs ${least.toLowerCase()}${least === 'OWNER' ? '' : ' or higher'}.`;
}
