'use client';

import useSWR from 'swr';
import { useProject } from '@/components/projects/use-projects';
import type { OrganizationRetention } from '@/lib/retention/schema';

/** Rules change with the deployment's variables, and counting rows is no light work. */
const RARELY = { dedupingInterval: 30_000, revalidateOnFocus: false };

/** How long data is kept and what the organization has of it; nothing is asked for without an id. */
export function useRetention(organizationId: string | undefined) {
  return useSWR<OrganizationRetention, unknown>(
    organizationId === undefined ? null : `/orgs/${organizationId}/retention`,
    RARELY,
  );
}

/** The same by a project, for its pages. Undefined reads nothing: they ask only when something is missing. */
export function useRetentionOfProject(projectId: string | undefined) {
  const { project, error: projectError } = useProject(projectId);
  const { data, error } = useRetention(project?.organization.id);
  return { retention: data, isSettled: data !== undefined || project === null || Boolean(projectError ?? error) };
}
