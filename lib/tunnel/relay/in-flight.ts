import { busy } from './errors';
import { MAX_IN_FLIGHT_OF_PROCESS, MAX_IN_FLIGHT_OF_PROJECT } from './limits';

/** A request in flight. */
interface Place {
  projectId: string;
  end(): void;
}

/**
 * Limits the requests that this process relays at once, in total and per project. When all places are taken, the project
 * with the most requests loses its oldest one, so a few projects whose requests never end cannot lock out the others.
 */
export class InFlight {
  private total = 0;
  /** Oldest first. */
  private readonly ofProject = new Map<string, Set<Place>>();

  constructor(
    private readonly maxTotal = MAX_IN_FLIGHT_OF_PROCESS,
    private readonly maxOfProject = MAX_IN_FLIGHT_OF_PROJECT,
  ) {}

  /**
   * Counts a request.
   * @param end ends it when another project needs its place
   * @returns a function to call when it has ended
   * @throws AppError tunnel_busy
   */
  enter(projectId: string, end: () => void): () => void {
    const own = this.ofProject.get(projectId)?.size ?? 0;
    if (own >= this.maxOfProject) throw busy('Too many requests are in flight in the tunnels of this project.');
    if (this.total >= this.maxTotal) this.makeRoom(own);
    const place = { projectId, end };
    const places = this.ofProject.get(projectId) ?? new Set();
    this.ofProject.set(projectId, places.add(place));
    this.total += 1;
    return () => this.leave(place);
  }

  private makeRoom(own: number): void {
    let largest: Set<Place> = new Set();
    for (const places of this.ofProject.values()) if (places.size > largest.size) largest = places;
    const [oldest] = largest;
    if (oldest === undefined || largest.size <= own + 1) throw busy('Too many requests are in flight in all tunnels.');
    this.leave(oldest);
    oldest.end();
  }

  private leave(place: Place): void {
    const places = this.ofProject.get(place.projectId);
    if (places === undefined || !places.delete(place)) return;
    this.total -= 1;
    if (places.size === 0) this.ofProject.delete(place.projectId);
  }
}
