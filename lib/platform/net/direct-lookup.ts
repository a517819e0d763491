import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long an IPv4 response waits for the IPv6 one. */
const SECOND_FAMILY_WAIT_MS = 100;
/** With these, c-ares gives up on a silent server after about four seconds and asks a second server after one. */
const PATIENCE = { timeout: 1_000, tries: 2 };

/**
 * Queries DNS for all addresses of a name, without a thread of libuv's pool. Ends at once when the signal aborts.
 * @param servers in place of the system's; `address:port` each
 * @throws an error with a DNS code; ETIMEOUT when a server was silent and no other had an address
 */
export async function lookUpDirectly(
  hostname: string,
  _tenant?: string,
  signal?: AbortSignal,
  servers?: readonly string[],
): Promise<LookupAddress[]> {
  // One resolver per lookup: `cancel` ends all queries of a resolver.
  const resolver = new Resolver(PATIENCE);
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await askBothFamilies(resolver, hostname);
  } finally {
    signal?.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}

async function askBothFamilies(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const faults: NodeJS.ErrnoException[] = [];
  const note = (fault: NodeJS.ErrnoException): string[] => {
    faults.push(fault);
    return [];
  };
  const v6 = resolver.resolve6(hostname).catch(note);
  const v4 = await resolver.resolve4(hostname).catch(note);
  // A name server that never answers AAAA must not prevent a connection over IPv4.
  const others = v4.length > 0 ? await Promise.race([v6, sleep(SECOND_FAMILY_WAIT_MS, [], { ref: false })]) : await v6;
  if (v4.length === 0 && others.length === 0) throw faults.find(({ code }) => code === 'ETIMEOUT') ?? faults[0];
  return [...v4.map((address) => ({ address, family: 4 })), ...others.map((address) => ({ address, family: 6 }))];
}
