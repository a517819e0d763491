import type { PublicTunnel } from '@/lib/tunnel/types';
import { BatchedLookup } from './batched-lookup';
import { CACHE_MS, KNOWN_LOOKUPS, MAX_CACHED, UNKNOWN_LOOKUPS } from './limits';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Known {
  tunnel: PublicTunnel;
  /** Until when it is current, by the clock. */
  untilMs: number;
}

/**
 * Finds the tunnels of tokens. What was read is current for a second. A token that had a tunnel is read again in a lane of its
 * own, and is forgotten only for other such tokens, so a flood of unknown tokens neither delays nor evicts a known tunnel.
 */
export class TunnelFinder {
  /** The one that was used last is at the end. */
  private readonly known = new Map<string, Known>();
  /** Tokens without a tunnel, and until when that is current. The oldest is first. */
  private readonly unknown = new Map<string, number>();
  private readonly underWay = new Map<string, Promise<PublicTunnel | null>>();
  private readonly lanes: Record<'known' | 'unknown', BatchedLookup<PublicTunnel>>;

  /** @param find returns the tunnels that exist, by token */
  constructor(
    find: (tokens: readonly string[]) => Promise<ReadonlyMap<string, PublicTunnel>>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lanes = { known: new BatchedLookup(find, KNOWN_LOOKUPS), unknown: new BatchedLookup(find, UNKNOWN_LOOKUPS) };
  }

  /** Returns the tunnel of a token; null when there is none. @throws AppError overloaded when too many unknown tokens wait */
  async find(token: string): Promise<PublicTunnel | null> {
    if (!TOKEN.test(token)) return null;
    const known = this.known.get(token);
    if (known !== undefined && known.untilMs > this.now()) {
      keep(this.known, token, known);
      return known.tunnel;
    }
    if ((this.unknown.get(token) ?? 0) > this.now()) return null;
    return this.underWay.get(token) ?? this.read(token, known === undefined ? 'unknown' : 'known');
  }

  private read(token: string, lane: 'known' | 'unknown'): Promise<PublicTunnel | null> {
    const reading = this.lanes[lane]
      .find(token)
      .then((tunnel) => this.remember(token, tunnel))
      .finally(() => this.underWay.delete(token));
    this.underWay.set(token, reading);
    return reading;
  }

  private remember(token: string, tunnel: PublicTunnel | null): PublicTunnel | null {
    const untilMs = this.now() + CACHE_MS;
    this.known.delete(token);
    this.unknown.delete(token);
    if (tunnel === null) keep(this.unknown, token, untilMs);
    else keep(this.known, token, { tunnel, untilMs });
    return tunnel;
  }
}

/** Adds an entry at the end, and drops the first one beyond the bound. */
function keep<T>(entries: Map<string, T>, key: string, value: T): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= MAX_CACHED) return;
  const [first] = entries.keys();
  if (first !== undefined) entries.delete(first);
}
