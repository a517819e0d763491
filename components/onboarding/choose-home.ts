import { busiestProject } from '@/components/projects/busiest-project';

export interface HomeChoice<P> {
  /** Null when there is no project. */
  project: P | null;
  /** Whether the URL asks for the setup guide, which then stays although there are events. */
  stay: boolean;
}

/**
 * Chooses the project of the home page: the one in the URL, else the last opened one, else the busiest one of the session's
 * organization. Never one of another organization: that would lead away from a new, empty organization.
 */
export function chooseHome<P extends { id: string; organizationId: string; lastEventAt: string | null }>(
  projects: readonly P[],
  wish: { asked: string | null; last: string | null; organizationId: string | undefined },
): HomeChoice<P> {
  const byId = (id: string | null) => projects.find((project) => project.id === id);
  const asked = byId(wish.asked);
  const busiest = busiestProject(projects.filter(({ organizationId }) => organizationId === wish.organizationId));
  return { project: asked ?? byId(wish.last) ?? busiest ?? null, stay: asked !== undefined };
}
