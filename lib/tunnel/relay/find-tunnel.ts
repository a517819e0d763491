import { LRUCache } from 'lru-cache';
import { inCellOfProject } from '@/lib/orgs/tenant';
import { Batches } from '@/lib/platform/batches';
import { hotDatabase } from '@/lib/platform/db';
import { copyText } from '@/lib/platform/text';
import { TimedCache } from '@/lib/platform/timed-cache';
import type { FoundTunnels, PublicTunnel } from '@/lib/tunnel/types';
import { findHolder } from './connections-sql';
import { CACHE_MS, KNOWN_LOOKUPS, MAX_CACHED, UNKNOWN_LOOKUPS } from './limits';
import type { Holder } from './peer/send-to-peer';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Known {
  tunnel: PublicTunnel;
  /** Until when it is current, by the clock. */
  untilMs: number;
}

/**
 * Finds the tunnels of tokens. What was read is current for a second, or until the tunnel is forgotten. A token that had a tunnel is read again in a queue of its
 * own, and is forgotten only for other such tokens, so a flood of unknown tokens neither delays nor evicts a known tunnel.
 */
export class TunnelFinder {
  private readonly known = new LRUCache<string, Known>({ max: MAX_CACHED });
  /** Tokens without a tunnel, and until when that is current. */
  private readonly unknown = new LRUCache<string, number>({ max: MAX_CACHED });
  private readonly underWay = new Map<string, Promise<PublicTunnel | null>>();
  private readonly lookups: Record<'known' | 'unknown', Batches<string, PublicTunnel | null>>;

  /** @param find returns the tunnels that exist, by token */
  constructor(
    find: (tokens: readonly string[]) => Promise<FoundTunnels>,
    private readonly now: () => number = () => performance.now(),
  ) {
    const read = async (tokens: readonly string[]) => {
      const found = await find(tokens);
      return (token: string) => found.get(token) ?? null;
    };
    this.lookups = { known: new Batches(read, KNOWN_LOOKUPS), unknown: new Batches(read, UNKNOWN_LOOKUPS) };
  }

  /** Returns the tunnel of a token; null when there is none. @throws AppError overloaded when too many unknown tokens wait */
  async find(token: string): Promise<PublicTunnel | null> {
    if (!TOKEN.test(token)) return null;
    const known = this.known.get(token);
    if (known !== undefined && known.untilMs > this.now()) return known.tunnel;
    if ((this.unknown.get(token) ?? 0) > this.now()) return null;
    return this.underWay.get(token) ?? this.read(token, known === undefined ? 'unknown' : 'known');
  }

  private read(token: string, kind: 'known' | 'unknown'): Promise<PublicTunnel | null> {
    const reading: Promise<PublicTunnel | null> = this.lookups[kind]
      .add(token)
      .then((tunnel) => (this.underWay.get(token) === reading ? this.remember(token, tunnel) : tunnel))
      .finally(() => this.underWay.get(token) === reading && this.underWay.delete(token));
    this.underWay.set(token, reading);
    return reading;
  }

  /** Reads a tunnel again when it is next asked for; null for all. Call this when who may enter it has changed. */
  forget(tunnelId: string | null): void {
    for (const known of this.known.values()) {
      if (tunnelId === null || known.tunnel.id === tunnelId) known.untilMs = 0;
    }
    // A statement that runs may have read the tunnel before the change. What it finds is not remembered.
    this.underWay.clear();
  }

  private remember(token: string, tunnel: PublicTunnel | null): PublicTunnel | null {
    const untilMs = this.now() + CACHE_MS;
    this.known.delete(token);
    this.unknown.delete(token);
    // The token is a part of a URL, which may have 32 KB.
    const key = copyText(token);
    if (tunnel === null) this.unknown.set(key, untilMs);
    else this.known.set(key, { tunnel, untilMs });
    return tunnel;
  }
}

/** Finds the web processes that hold the clients of tunnels, and caches them for a second. */
export class Holders {
  private readonly cache = new TimedCache<(Holder & { projectId: string }) | null>(
    async (tunnelId) => {
      const row = await findHolder.first(hotDatabase(), { tunnel: tunnelId });
      if (row === undefined) return null;
      return { projectId: row.project_id, connectionId: row.connection_id, peerUrl: row.peer_url };
    },
    CACHE_MS,
    MAX_CACHED,
  );

  /** Returns the process that holds the client of a project's tunnel; null when none does. */
  async find({ id, projectId }: { id: string; projectId: string }): Promise<Holder | null> {
    const holder = await inCellOfProject(projectId, () => this.cache.get(id));
    return holder?.projectId === projectId ? holder : null;
  }

  /** Call this when a tunnel's connection changes; null when any may have changed. */
  forget(tunnelId: string | null): void {
    if (tunnelId === null) this.cache.clear();
    else this.cache.forget(tunnelId);
  }
}
