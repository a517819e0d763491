'use client';

import useSWR from 'swr';
import { useProject } from '@/components/projects/use-projects';
import type { OrganizationRetention } from '@/lib/retention/schema';

/** Rules change only with the configuration, and counting rows is expensive. */
const CACHED = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** Loads the retention rules and row counts of an organization. Loads nothing without an id. */
export function useRetention(organizationId: string | undefined) {
  return useSWR<OrganizationRetention, unknown>(
    organizationId === undefined ? null : `/orgs/${organizationId}/retention`,
    CACHED,
  );
}

/** Loads the retention of the organization of a project. Loads nothing without an id. */
export function useRetentionOfProject(projectId: string | undefined) {
  const { project, error: projectError } = useProject(projectId);
  const { data, error } = useRetention(project?.organization.id);
  return { retention: data, isSettled: data !== undefined || project === null || Boolean(projectError ?? error) };
}
