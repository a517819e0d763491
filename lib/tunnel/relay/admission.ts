import type { Writable } from 'node:stream';
import { ownerOfProject } from '@/lib/orgs/tenant';
import { FairSemaphore, SemaphoreFullError } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { isAlone, noteActive, Pace } from '@/lib/platform/pace';
import type { SharedPlaces } from '@/lib/platform/shared-places';
import { busy, hungUp } from './errors';
import { REFUSED_AFTER_MS, VISITS, VISITS_PACE } from './limits';

/**
 * Waits until a request may begin: also a refused one takes the thread for a third of a millisecond, and thousands of them a second would
 * delay everybody.
 *
 * @param connection of the visitor
 * @throws AppError tunnel_busy when too many wait; invalid_request when the visitor disconnects
 */
export async function takeVisitTurn(projectId: string, connection: Writable): Promise<void> {
  const owner = await ownerOfProject(projectId);
  noteActive(owner);
  const turns = once('tunnel-visits', () => new FairSemaphore(VISITS, new Pace(VISITS_PACE, isAlone)));
  const immediate = turns.tryAcquire(owner);
  if (immediate !== null) return immediate(1);
  const gone = new AbortController();
  const leave = () => gone.abort(hungUp());
  connection.once('close', leave);
  try {
    const release = await turns.acquire(owner, gone.signal);
    release(1);
  } catch (error) {
    if (!(error instanceof SemaphoreFullError)) throw error;
    await new Promise((resolve) => setTimeout(resolve, REFUSED_AFTER_MS * (1 + Math.random())));
    throw busy('Too many requests wait for tunnels.');
  } finally {
    connection.off('close', leave);
  }
}

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
