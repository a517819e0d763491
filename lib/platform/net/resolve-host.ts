import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Finds every address of a host name. @throws an error with a DNS code */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/** Look-ups that the operating system's resolver is given at once. */
const SYSTEM_LOOKUPS_AT_ONCE = 2;
/** How long an IPv4 answer waits for the IPv6 one. */
const SECOND_FAMILY_WAIT_MS = 100;

/** The resolver of a process. */
export function systemResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return shareLookups(
    (hostname) => lookup(hostname, { all: true, order: 'ipv4first' }),
    (hostname) => lookUpDirectly(resolver, hostname),
  );
}

/**
 * Joins two ways to resolve. The system's knows the hosts file and search domains, but each look-up holds one of libuv's
 * four threads for as long as a dead name server keeps it waiting: four such names would stop every other look-up of the
 * process. So few go there at once, and the others ask DNS directly, which holds no thread, and wait only when DNS does
 * not know the name. Those who ask for one name at the same time share an answer; none is kept.
 */
export function shareLookups(system: ResolveHost, direct: ResolveHost): ResolveHost {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  const gate = new Gate(SYSTEM_LOOKUPS_AT_ONCE);

  const resolve: ResolveHost = async (hostname) => {
    if (gate.isFull) {
      const found = await direct(hostname).catch(() => []);
      if (found.length > 0) return found;
    }
    return gate.run(() => system(hostname));
  };

  return (hostname) => {
    const shared = underWay.get(hostname);
    if (shared !== undefined) return shared;
    const started = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, started);
    return started;
  };
}

async function lookUpDirectly(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const none: string[] = [];
  const v6 = resolver.resolve6(hostname).catch(() => none);
  const v4 = await resolver.resolve4(hostname).catch(() => none);
  // A name server that never answers AAAA must not cost the connection that IPv4 gives.
  const others =
    v4.length > 0 ? await Promise.race([v6, sleep(SECOND_FAMILY_WAIT_MS, none, { ref: false })]) : await v6;
  return [...v4.map((address) => ({ address, family: 4 })), ...others.map((address) => ({ address, family: 6 }))];
}

class Gate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly width: number) {}

  get isFull(): boolean {
    return this.running >= this.width;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isFull) await new Promise<void>((go) => this.waiting.push(go));
    else this.running += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, not given back, so that no newcomer slips in before the one who waited.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
