'use client';

import { useEffect, useState } from 'react';
import { useSession } from '@/components/auth-session/use-session';
import { type OrganizationProjects, useProjects } from '@/components/projects/use-projects';
import { chooseScope } from './choose-scope';
import { readLastProject, rememberLastProject } from './last-project';
import type { CurrentRoute } from './use-current-route';

/** What the navigation is about, and all there is to choose from; undefined while that is on its way. */
export interface NavigationScope {
  projectId: string | undefined;
  organization: OrganizationProjects | undefined;
  organizations: OrganizationProjects[] | undefined;
}

/** The project and organization that the navigation is about, also on pages that name none. */
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
  // What the URL names is shown before the list has come, so that the links are there at once.
  return { projectId: named ?? project?.id, organization, organizations };
}
