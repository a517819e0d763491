export interface HomeChoice<P> {
  /** Null: there is no project yet. */
  project: P | null;
  /** Whether the first steps were asked for by the URL, and stay although there are events. */
  stay: boolean;
}

/**
 * The project the start page is about: the one in the URL, else the one shown last, else the first of the organization the
 * session is in. Not one of another organization: who has just come to an empty one would be sent away from it.
 */
export function chooseHome<P extends { id: string; organizationId: string }>(
  projects: readonly P[],
  wish: { asked: string | null; last: string | null; organizationId: string | undefined },
): HomeChoice<P> {
  const byId = (id: string | null) => projects.find((project) => project.id === id);
  const asked = byId(wish.asked);
  const first = projects.find(({ organizationId }) => organizationId === wish.organizationId);
  return { project: asked ?? byId(wish.last) ?? first ?? null, stay: asked !== undefined };
}
