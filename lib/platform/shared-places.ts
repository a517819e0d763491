/** How many places there are. */
export interface PlaceLimits {
  total: number;
  /** One owner's at most, also while the others are free. */
  perOwner: number;
  /** The last ones, which only owners with fewer than `few` get. */
  kept: number;
  few: number;
  /** Which place of the largest owner makes room. */
  displaces: 'oldest' | 'newest';
}

interface Place {
  ownerId: string;
  end(): void;
}

/**
 * Places that owners of organizations share. When all are taken, the owner with the most loses one to an owner with fewer, as long
 * as that leaves them no fewer than the other gets. So few owners cannot lock the others out, and two never displace each other in
 * turns.
 */
export class SharedPlaces {
  #taken = 0;
  /** Oldest first. */
  readonly #byOwner = new Map<string, Set<Place>>();

  constructor(private readonly limits: PlaceLimits) {}

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place.
   * @param end gives it up when another owner needs it
   * @returns a function that frees it, which may be called again; null when the owner gets none
   */
  take(ownerId: string, end: () => void): (() => void) | null {
    const { total, perOwner, kept, few } = this.limits;
    const own = this.#byOwner.get(ownerId)?.size ?? 0;
    if (own >= perOwner) return null;
    if (this.#taken >= (own < few ? total : total - kept) && !this.#makeRoom(own)) return null;
    const place = { ownerId, end };
    this.#byOwner.set(ownerId, (this.#byOwner.get(ownerId) ?? new Set()).add(place));
    this.#taken += 1;
    return () => this.#free(place);
  }

  #makeRoom(own: number): boolean {
    let largest: ReadonlySet<Place> = new Set();
    for (const places of this.#byOwner.values()) if (places.size > largest.size) largest = places;
    if (largest.size <= own + 1) return false;
    const displaced = [...largest].at(this.limits.displaces === 'oldest' ? 0 : -1);
    if (displaced === undefined) return false;
    this.#free(displaced);
    displaced.end();
    return true;
  }

  #free(place: Place): void {
    const places = this.#byOwner.get(place.ownerId);
    if (places === undefined || !places.delete(place)) return;
    this.#taken -= 1;
    if (places.size === 0) this.#byOwner.delete(place.ownerId);
  }
}
