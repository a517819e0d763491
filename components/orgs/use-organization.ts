'use client';

import { useMe } from '@/components/projects/use-projects';

/** One organization as the person sees it. Undefined while loading, null when they belong to none of this id. */
export function useOrganization(organizationId: string) {
  const { data, error, mutate } = useMe();
  const found = data?.organizations.find(({ id }) => id === organizationId);
  return { organization: data === undefined ? undefined : (found ?? null), error, reload: () => mutate() };
}
