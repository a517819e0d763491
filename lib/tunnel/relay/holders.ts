import { hotDatabase } from '@/lib/platform/db';
import { TimedCache } from '@/lib/platform/timed-cache';
import { findHolder } from './connections-sql';
import { CACHE_MS, MAX_CACHED } from './limits';
import type { Holder } from './peer/send-to-peer';

/** Finds the web processes that hold the clients of tunnels, and caches them for a second. */
export class Holders {
  private readonly cache = new TimedCache<(Holder & { projectId: string }) | null>(
    async (tunnelId) => {
      const row = await findHolder.first(hotDatabase(), tunnelId);
      if (row === undefined) return null;
      return { projectId: row.project_id, connectionId: row.connection_id, peerUrl: row.peer_url };
    },
    CACHE_MS,
    MAX_CACHED,
  );

  /** Returns the process that holds the client of a project's tunnel; null when none does. */
  async find({ id, projectId }: { id: string; projectId: string }): Promise<Holder | null> {
    const holder = await this.cache.get(id);
    return holder?.projectId === projectId ? holder : null;
  }

  /** Call this when a tunnel's connection changes; null when any may have changed. */
  forget(tunnelId: string | null): void {
    if (tunnelId === null) this.cache.clear();
    else this.cache.forget(tunnelId);
  }
}
