'use client';

import { roleRefusal } from '@/components/projects/role-refusal';
import { useMe } from '@/components/projects/use-projects';
import type { Action } from '@/lib/orgs/permissions-policy';

/** One organization as the person sees it. Undefined while loading, null when they belong to none of this id. */
export function useOrganization(organizationId: string) {
  const { data, error, mutate } = useMe();
  const found = data?.organizations.find(({ id }) => id === organizationId);
  return { organization: data === undefined ? undefined : (found ?? null), error, reload: () => mutate() };
}

/** Why the person may not do something in this organization; undefined when they may. For `disabledReason`. */
export function useOrganizationRefusal(organizationId: string, action: Action): string | undefined {
  const { organization } = useOrganization(organizationId);
  return roleRefusal(organization?.role, action);
}
