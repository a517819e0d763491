export interface HomeChoice<P> {
  /** Null: there is no project yet. */
  project: P | null;
  /** Whether the first steps were asked for by the URL, and stay although there are events. */
  stay: boolean;
}

/** The project the start page is about: the one in the URL, else the one shown last, else the first. */
export function chooseHome<P extends { id: string }>(
  projects: readonly P[],
  wish: { asked: string | null; last: string | null },
): HomeChoice<P> {
  const byId = (id: string | null) => projects.find((project) => project.id === id);
  const asked = byId(wish.asked);
  return { project: asked ?? byId(wish.last) ?? projects[0] ?? null, stay: asked !== undefined };
}
