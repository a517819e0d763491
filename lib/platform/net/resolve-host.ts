import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { config } from '@/lib/platform/config/config';
import { FairGate, type GateLimits } from '@/lib/platform/fair-gate';
import { lookUpDirectly } from './direct-lookup';
import { LOOKUP_TIMEOUT_MS } from './failure-reason';
import { SharedLookups } from './shared-lookups';

/**
 * Finds every address of a host name.
 * @param tenant the tenant that the lookup counts toward; callers that name none share one
 * @param signal aborts when nobody waits for the answer any more
 * @throws an error with a DNS code, GateFullError, LookupTimeoutError
 */
export type ResolveHost = (hostname: string, tenant?: string, signal?: AbortSignal) => Promise<LookupAddress[]>;

interface ResolverOptions {
  /** The operating system's resolver. A lookup of it cannot be canceled. */
  system: ResolveHost;
  /** DNS itself. Ends at once when its signal aborts. */
  direct: ResolveHost;
  /** Lookups under way and waiting, either way to resolve taken together. */
  limits?: GateLimits;
  /** System lookups at once, for either of their two uses. */
  slots?: number;
  deadlineMs?: number;
}

const SHARED_TENANT = '';
/** A worker sends 200 messages at once by default: all of them may be one tenant's, each to a host of its own. */
const LIMITS: GateLimits = { width: 256, widthPerTenant: 16, waiting: 2_000, waitingPerTenant: 250 };

/** The resolver of a process. */
export function systemResolver(): ResolveHost {
  return makeResolver({
    system: (hostname) => lookup(hostname, { all: true, order: 'ipv4first' }),
    direct: lookUpDirectly,
    slots: systemSlots(config().UV_THREADPOOL_SIZE),
  });
}

/**
 * Joins two ways to resolve. The system's knows the hosts file and search domains, but each of its lookups holds a thread
 * of libuv's pool until the name server answers or getaddrinfo gives up, ten seconds or more. So a tenant has one there at
 * a time. Its other names are asked of DNS directly, which holds no thread, while they wait for their turn at the system. For
 * names that DNS answers it does not know, slots are kept that names on silent servers cannot take.
 *
 * Everything has a bound: lookups under way and waiting, in all and for each tenant, and the time for each of them. Tenants
 * are served round robin. Those of a tenant who ask for one name at the same time share an answer; none is kept.
 */
export function makeResolver(options: ResolverOptions): ResolveHost {
  const { system, direct, limits = LIMITS, slots = 1, deadlineMs = LOOKUP_TIMEOUT_MS } = options;
  const slotLimits = { ...limits, width: slots, widthPerTenant: 1 };
  const all = new FairGate(limits);
  const forAnyName = new FairGate(slotLimits);
  const forNamesUnknownToDns = new FairGate(slotLimits);

  const lookUp = async (hostname: string, tenant: string, signal: AbortSignal) => {
    signal.throwIfAborted();
    const leaveSlot = forAnyName.tryEnter(tenant);
    if (leaveSlot !== null) return system(hostname).finally(leaveSlot);
    // Whichever comes first: an answer of DNS, or a turn at the system.
    const decided = new AbortController();
    const undecided = AbortSignal.any([signal, decided.signal]);
    const askSystem = async (gate: FairGate) => {
      const leave = await gate.enter(tenant, undecided);
      if (undecided.aborted) leave();
      undecided.throwIfAborted();
      decided.abort();
      return system(hostname).finally(leave);
    };
    const askDns = async () => {
      const found = await direct(hostname, tenant, undecided).catch((fault) => passUnknown(fault, undecided));
      if (found.length === 0) return askSystem(forNamesUnknownToDns);
      decided.abort();
      return found;
    };
    return Promise.any([askSystem(forAnyName), askDns()]).catch(({ errors }: AggregateError) => {
      throw errors.find((error) => error !== decided.signal.reason);
    });
  };

  const lookups = new SharedLookups(async (hostname, tenant, signal) => {
    const leave = await all.enter(tenant, signal);
    // The place is held until the work has ended, also when nobody waits for it: a thread is busy for as long.
    return untilAborted(lookUp(hostname, tenant, signal).finally(leave), signal);
  }, deadlineMs);
  return (hostname, tenant = SHARED_TENANT, signal) => lookups.ask(hostname, tenant, signal);
}

/**
 * System lookups that receivers may cause at once, for either of their uses. libuv runs getaddrinfo on half of its threads;
 * two of those are left to the rest of the process, such as a database that is found by its name, where the pool is larger
 * than the default.
 */
export function systemSlots(threads: number): number {
  return Math.max(1, Math.floor((Math.floor((threads + 1) / 2) - 2) / 2));
}

/** No address, unless the name's server was silent, or the lookup ended before it answered. */
function passUnknown(fault: NodeJS.ErrnoException, undecided: AbortSignal): LookupAddress[] {
  undecided.throwIfAborted();
  if (fault.code === 'ETIMEOUT') throw fault;
  return [];
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
