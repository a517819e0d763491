'use client';

import { useParams, usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useSession } from '@/components/auth-session/use-session';
import { busiestProject, type OrganizationProjects, useProjects } from '@/components/projects/use-projects';
import { readStored, writeStored } from '@/components/ui/stored';
import { RETENTION_PATH } from './nav-items';

/** The current project and organization, and all organizations; undefined while loading. */
export interface NavigationScope {
  projectId: string | undefined;
  organization: OrganizationProjects | undefined;
  organizations: OrganizationProjects[] | undefined;
}

/** Returns the project and organization of the navigation, also on pages without one in the URL. */
export function useNavigationScope(route: CurrentRoute): NavigationScope {
  const { organizations } = useProjects();
  const { organization: home } = useSession();
  const { projectId: named, organizationId } = route;
  const [last, setLast] = useState<string | null>(null);
  useEffect(() => {
    if (named !== undefined) writeStored(LAST_PROJECT, named);
  }, [named]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these changes what is remembered
  useEffect(() => setLast(readStored(LAST_PROJECT)), [named, home?.id]);
  const { project, organization } = chooseScope(organizations ?? [], {
    projectId: named,
    organizationId,
    lastProjectId: last,
    homeId: home?.id,
  });
  // Uses the id in the URL before the list has loaded, so that links work immediately.
  return { projectId: named ?? project?.id, organization, organizations };
}

interface ScopeSources {
  /** From the URL. */
  projectId: string | undefined;
  organizationId: string | undefined;
  /** The last opened project of this browser, possibly of another person. */
  lastProjectId: string | null;
  /** The organization of the session. */
  homeId: string | undefined;
}

/**
 * Chooses the project and organization of the navigation: those in the URL; else the last opened project, so that the way
 * back to it stays visible; else the organization of the session. Without a last project, an organization uses its
 * busiest one, as the home page does.
 */
export function chooseScope<
  P extends { id: string; lastEventAt: string | null },
  O extends { id: string; projects: P[] },
>(
  organizations: readonly O[],
  { projectId, organizationId, lastProjectId, homeId }: ScopeSources,
): { project: P | undefined; organization: O | undefined } {
  const byId = (id: string | undefined) => organizations.find((organization) => organization.id === id);
  const holderOf = (id: string | null) =>
    organizations.find((organization) => organization.projects.some((project) => project.id === id));
  const organization = byId(organizationId) ?? holderOf(projectId ?? lastProjectId) ?? byId(homeId) ?? organizations[0];
  const named = organization?.projects.find(({ id }) => id === (projectId ?? lastProjectId));
  const project = projectId === undefined ? (named ?? busiestProject(organization?.projects ?? [])) : named;
  return { project, organization };
}

/** Keeps the last opened project of this browser. Forgotten, the home page uses the current organization. */
export const LAST_PROJECT = 'eds-last-project';

export interface CurrentRoute {
  projectId: string | undefined;
  organizationId: string | undefined;
  /** The page of the project or organization, such as `events` or `members`. */
  segment: string | undefined;
  pathname: string;
}

/** Returns the project, organization and page in the URL. The home page has its project in a query parameter. */
export function useCurrentRoute(): CurrentRoute {
  const { projectId, orgId } = useParams<{ projectId?: string; orgId?: string }>();
  const asked = useSearchParams().get('project');
  const pathname = usePathname();
  return {
    projectId: projectId ?? asked ?? undefined,
    organizationId: orgId,
    segment: pathname === RETENTION_PATH ? 'retention' : pathname.split('/')[3],
    pathname,
  };
}
