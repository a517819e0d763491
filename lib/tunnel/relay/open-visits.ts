/**
 * The visits to tunnels that are under way in this process. When the entry of a tunnel changes, each of its visits proves again that
 * it may enter (docs/decisions/060-revocation-ends-open-connections.md).
 */
export class OpenVisits {
  readonly #byTunnel = new Map<string, Set<() => void>>();

  /**
   * Adds a visit.
   * @param check ends the visit when it may not enter any more
   * @returns a function that removes it; call it once
   */
  add(tunnelId: string, check: () => void): () => void {
    const visits = this.#byTunnel.get(tunnelId) ?? new Set();
    this.#byTunnel.set(tunnelId, visits.add(check));
    return () => {
      visits.delete(check);
      if (visits.size === 0) this.#byTunnel.delete(tunnelId);
    };
  }

  /** Checks the visits to a tunnel; null for all tunnels. */
  check(tunnelId: string | null): void {
    const visits = tunnelId === null ? this.#byTunnel.values() : [this.#byTunnel.get(tunnelId) ?? []];
    for (const check of [...visits].flatMap((each) => [...each])) check();
  }
}
