'use client';

import { useEffect, useState } from 'react';
import { useSession } from '@/components/auth-session/use-session';
import { type OrganizationProjects, useProjects } from '@/components/projects/use-projects';
import { chooseScope } from './choose-scope';
import { readLastProject, rememberLastProject } from './last-project';
import type { CurrentRoute } from './use-current-route';

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
    if (named !== undefined) rememberLastProject(named);
  }, [named]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these changes what is remembered
  useEffect(() => setLast(readLastProject()), [named, home?.id]);
  const { project, organization } = chooseScope(organizations ?? [], {
    projectId: named,
    organizationId,
    lastProjectId: last,
    homeId: home?.id,
  });
  // Uses the id in the URL before the list has loaded, so that links work immediately.
  return { projectId: named ?? project?.id, organization, organizations };
}
