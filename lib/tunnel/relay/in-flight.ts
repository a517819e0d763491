import { ownerOfProject } from '@/lib/orgs/find-tenant';
import type { SharedPlaces } from '@/lib/platform/shared-places';
import { busy } from './errors';

/**
 * Counts a request in flight for the owner of its project.
 * @param end ends it when another owner needs its place
 * @returns a function to call when it has ended
 * @throws AppError tunnel_busy
 */
export async function enterFlight(places: SharedPlaces, projectId: string, end: () => void): Promise<() => void> {
  const leave = places.take(await ownerOfProject(projectId), end);
  if (leave === null) throw busy('Too many requests are in flight in tunnels.');
  return leave;
}
