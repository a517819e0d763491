'use client';

import { useMe } from '@/components/projects/use-projects';

/** Returns an organization of the person: undefined while loading, null when they are not a member. */
export function useOrganization(organizationId: string) {
  const { data, error, mutate } = useMe();
  const found = data?.organizations.find(({ id }) => id === organizationId);
  return { organization: data === undefined ? undefined : (found ?? null), error, reload: () => mutate() };
}
