import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { config } from '@/lib/platform/config/config';
import { FairSemaphore, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { lookUpDirectly } from './direct-lookup';
import { LOOKUP_TIMEOUT_MS } from './failure-reason';
import { SharedLookups } from './shared-lookups';

/**
 * Resolves all addresses of a host name.
 * @param tenant the tenant that the lookup counts toward; callers without one share a tenant
 * @param signal aborts when the result is no longer needed
 * @throws an error with a DNS code, SemaphoreFullError, LookupTimeoutError
 */
export type ResolveHost = (hostname: string, tenant?: string, signal?: AbortSignal) => Promise<LookupAddress[]>;

interface ResolverOptions {
  /** The operating system's resolver. Its lookups cannot be canceled. */
  system: ResolveHost;
  /** Queries DNS directly. Ends at once when its signal aborts. */
  direct: ResolveHost;
  /** Bounds lookups that run and that wait, of both resolvers together. */
  limits?: SemaphoreLimits;
  /** Concurrent system lookups, for each of their two uses. */
  slots?: number;
  deadlineMs?: number;
}

const SHARED_TENANT = '';
/** A worker sends 200 messages at once by default. All may belong to one tenant, each with its own host. */
const LIMITS: SemaphoreLimits = { width: 256, widthPerTenant: 16, waiting: 2_000, waitingPerTenant: 250 };

/** Creates the resolver of a process. */
export function systemResolver(): ResolveHost {
  return makeResolver({
    system: (hostname) => lookup(hostname, { all: true, order: 'ipv4first' }),
    direct: lookUpDirectly,
    slots: systemSlots(config().UV_THREADPOOL_SIZE),
  });
}

/**
 * Combines two resolvers. The system's knows the hosts file and search domains, but each lookup holds a thread of libuv's
 * pool until the name server answers or getaddrinfo gives up, ten seconds or more. So a tenant has one system lookup at a
 * time. Its other names wait for the system and are meanwhile queried from DNS directly, which needs no thread. Names that
 * DNS does not know have their own system slots, which names on silent servers cannot take.
 *
 * Running and waiting lookups are bounded, in total and per tenant, and so is the time of each. Tenants are served round
 * robin. Concurrent lookups of one name by one tenant share a result. Results are not cached.
 */
export function makeResolver(options: ResolverOptions): ResolveHost {
  const { system, direct, limits = LIMITS, slots = 1, deadlineMs = LOOKUP_TIMEOUT_MS } = options;
  const slotLimits = { ...limits, width: slots, widthPerTenant: 1 };
  const all = new FairSemaphore(limits);
  const forAnyName = new FairSemaphore(slotLimits);
  const forNamesUnknownToDns = new FairSemaphore(slotLimits);

  const lookUp = async (hostname: string, tenant: string, signal: AbortSignal) => {
    signal.throwIfAborted();
    const leaveSlot = forAnyName.tryAcquire(tenant);
    if (leaveSlot !== null) return system(hostname).finally(leaveSlot);
    // A DNS result or a slot of the system resolver, whichever is first.
    const decided = new AbortController();
    const undecided = AbortSignal.any([signal, decided.signal]);
    const askSystem = async (semaphore: FairSemaphore) => {
      const release = await semaphore.acquire(tenant, undecided);
      if (undecided.aborted) release();
      undecided.throwIfAborted();
      decided.abort();
      return system(hostname).finally(release);
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
    const release = await all.acquire(tenant, signal);
    // The place is held until the work ends, even after an abort: the thread is busy until then.
    return untilAborted(lookUp(hostname, tenant, signal).finally(release), signal);
  }, deadlineMs);
  return (hostname, tenant = SHARED_TENANT, signal) => lookups.ask(hostname, tenant, signal);
}

/**
 * Returns the number of concurrent system lookups, for each of their two uses. libuv runs getaddrinfo on half of its threads.
 * If the pool is larger than the default, two of those are reserved for the rest of the process, such as resolving the
 * database host.
 */
export function systemSlots(threads: number): number {
  return Math.max(1, Math.floor((Math.floor((threads + 1) / 2) - 2) / 2));
}

/** Returns no address if DNS does not know the name. Throws if its server is silent or the lookup has ended. */
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
