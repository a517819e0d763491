import { busiestProject } from '@/components/projects/busiest-project';

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
