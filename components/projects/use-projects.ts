'use client';

import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/swr-fetcher';
import type { CursorPage } from '@/components/data-table/use-pages';
import type { Me } from '@/lib/auth/schema';
import type { OrganizationSummary, Project } from '@/lib/orgs/schema';

/** An organization with what the person may do in it, and its projects. */
export interface OrganizationProjects extends OrganizationSummary {
  projects: Project[];
}

/** Every page asks for these; what changes them here reads them anew by itself. */
const RARELY = { dedupingInterval: 30_000 };

export function useMe() {
  return useSWR<Me>('/auth/me', RARELY);
}

/** Every organization of the person with its projects: what the switcher and the start page choose from. */
export function useProjects() {
  const me = useMe();
  const organizations = me.data?.organizations;
  const ids = organizations?.map((organization) => organization.id);
  const projects = useSWR(
    ids === undefined ? null : ['projects of', ...ids],
    ([, ...orgIds]) =>
      Promise.all(orgIds.map((orgId) => fetchFromApi<CursorPage<Project>>(`/orgs/${orgId}/projects?limit=100`))),
    RARELY,
  );
  const loaded: OrganizationProjects[] | undefined =
    organizations === undefined || projects.data === undefined
      ? undefined
      : organizations.map((organization, index) => ({
          ...organization,
          projects: projects.data?.[index]?.data ?? [],
        }));
  return {
    organizations: loaded,
    error: me.error ?? projects.error,
    reload: async () => {
      await me.mutate();
      await projects.mutate();
    },
  };
}

/** The project with this id and the organization it belongs to. Undefined while loading, null when it is not ours. */
export function useProject(projectId: string | undefined) {
  const { organizations, error } = useProjects();
  if (organizations === undefined || projectId === undefined) return { project: undefined, error };
  for (const organization of organizations) {
    const project = organization.projects.find(({ id }) => id === projectId);
    if (project !== undefined) return { project: { ...project, organization }, error };
  }
  return { project: null, error };
}
