/** Returns the project with the newest event, else the first one; undefined without projects. */
export function busiestProject<P extends { lastEventAt: string | null }>(projects: readonly P[]): P | undefined {
  return projects.reduce<P | undefined>(
    (best, project) => (best === undefined || (project.lastEventAt ?? '') > (best.lastEventAt ?? '') ? project : best),
    undefined,
  );
}
