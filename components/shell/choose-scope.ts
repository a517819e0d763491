interface Wish {
  /** Named by the URL. */
  projectId: string | undefined;
  organizationId: string | undefined;
  /** ScopeIds last in this browser, maybe to another person. */
  lastProjectId: string | null;
  /** The organization of the session. */
  homeId: string | undefined;
}

/**
 * What the navigation is about: the project or organization that the URL names; on pages that name none the project shown
 * last, so that the way back is there, else the organization of the session. Of an organization without any of these it
 * is the first project, as on the start page.
 */
export function chooseScope<P extends { id: string }, O extends { id: string; projects: P[] }>(
  organizations: readonly O[],
  { projectId, organizationId, lastProjectId, homeId }: Wish,
): { project: P | undefined; organization: O | undefined } {
  const byId = (id: string | undefined) => organizations.find((organization) => organization.id === id);
  const holderOf = (id: string | null) =>
    organizations.find((organization) => organization.projects.some((project) => project.id === id));
  const organization = byId(organizationId) ?? holderOf(projectId ?? lastProjectId) ?? byId(homeId) ?? organizations[0];
  const named = organization?.projects.find(({ id }) => id === (projectId ?? lastProjectId));
  const project = projectId === undefined ? (named ?? organization?.projects[0]) : named;
  return { project, organization };
}
