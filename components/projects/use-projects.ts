'use client';

import { createContext, useContext } from 'react';
import useSWR from 'swr';
import { fetchFromApi } from '@/components/auth-session/api-fetch';
import type { CursorPage } from '@/components/data-table/use-pages';
import type { Me } from '@/lib/auth/schema';
import { type Action, may } from '@/lib/orgs/permissions-policy';
import type { ListedProject, OrganizationSummary } from '@/lib/orgs/schema';
import { roleDisabledReason } from './role-disabled-reason';

/** An organization with the person's role and its projects. */
export interface OrganizationProjects extends OrganizationSummary {
  projects: ListedProject[];
}

/** Every page needs these, so they are cached. Changes in the dashboard reload them. */
const CACHED = { dedupingInterval: 30_000 };

export function useMe() {
  return useSWR<Me>('/auth/me', CACHED);
}

/** Requests at once: somebody may be in a thousand organizations. */
const AT_ONCE = 10;

/**
 * Loads something for each id, a few at a time. One that fails leaves the others.
 * @throws the first error when all fail
 */
export async function loadEach<T>(
  ids: readonly string[],
  load: (id: string) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const results: PromiseSettledResult<T>[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    results.push(...(await Promise.allSettled(ids.slice(at, at + AT_ONCE).map(load))));
  }
  const [first] = results;
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason;
  return results;
}

/**
 * Loads the organizations of the person with their projects, for the switchers and the home page. One whose projects could not be loaded has
 * none, and there is an error.
 */
export function useProjects() {
  const me = useMe();
  const organizations = me.data?.organizations;
  const ids = organizations?.map((organization) => organization.id);
  const projects = useSWR(
    ids === undefined ? null : ['projects of', ...ids],
    ([, ...orgIds]) =>
      loadEach(orgIds, (orgId) => fetchFromApi<CursorPage<ListedProject>>(`/orgs/${orgId}/projects?limit=100`)),
    CACHED,
  );
  const loaded: OrganizationProjects[] | undefined =
    organizations === undefined || projects.data === undefined
      ? undefined
      : organizations.map((organization, index) => {
          const result = projects.data?.[index];
          return { ...organization, projects: result?.status === 'fulfilled' ? result.value.data : [] };
        });
  const failed = projects.data?.find((result) => result.status === 'rejected');
  return {
    organizations: loaded,
    error: me.error ?? projects.error ?? failed?.reason,
    reload: async () => {
      await me.mutate();
      await projects.mutate();
    },
  };
}

/** Returns the project with the newest event, else the first one; undefined without projects. */
export function busiestProject<P extends { lastEventAt: string | null }>(projects: readonly P[]): P | undefined {
  return projects.reduce<P | undefined>(
    (best, project) => (best === undefined || (project.lastEventAt ?? '') > (best.lastEventAt ?? '') ? project : best),
    undefined,
  );
}

/** Returns a project and its organization: undefined while loading, null when the person cannot see it. */
export function useProject(projectId: string | undefined) {
  const { organizations, error } = useProjects();
  if (organizations === undefined || projectId === undefined) return { project: undefined, error };
  for (const organization of organizations) {
    const project = organization.projects.find(({ id }) => id === projectId);
    if (project !== undefined) return { project: { ...project, organization }, error };
  }
  return { project: null, error };
}

/** The project of the page. Its layout and the setup guide set it. */
export const ProjectIdContext = createContext('');

export function useProjectId(): string {
  return useContext(ProjectIdContext);
}

/** Returns the path of something in the project. The API and the dashboard have the same paths. */
export function useProjectPath(tail: string): string {
  return `/projects/${useProjectId()}/${tail}`;
}

/** Returns why the person cannot do something in the project; undefined when they can. */
export function useDisabledReason(action: Action): string | undefined {
  const { project } = useProject(useProjectId());
  return roleDisabledReason(project?.organization.role, action);
}

/** Returns whether the person can do something in the project; false until it is loaded. */
export function useMay(action: Action): boolean {
  const { project } = useProject(useProjectId());
  return project ? may(project.organization.role, action) : false;
}

/** Requires a name. The API checks the rest. */
export const PROJECT_NAME_RULES = { required: 'Give the project a name.' };
