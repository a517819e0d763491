import type { LookupAddress } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '@/lib/platform/clock';
import { FairSemaphore, type Release, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { Pace, type PaceLimits } from '@/lib/platform/pace';
import { lookUpDirectly } from './direct-lookup';
import { ExchangeError, LOOKUP_TIMEOUT_MS, MAX_ADDRESSES } from './failure-reason';
import { SYSTEM_LOOKUPS, SystemLookups } from './system-lookup';

/**
 * Resolves all addresses of a host name, at most MAX_ADDRESSES.
 * @param tenant the tenant that the lookup counts toward; callers without one share a tenant
 * @param signal aborts when the result is no longer needed
 * @throws an error with a DNS code, SemaphoreFullError, ExchangeError
 */
export type ResolveHost = (hostname: string, tenant?: string, signal?: AbortSignal) => Promise<LookupAddress[]>;

interface ResolverOptions {
  /** The operating system's resolver. Its lookups cannot be canceled. One that takes too long throws an ExchangeError. */
  system: ResolveHost;
  /** Queries DNS directly. Ends at once when its signal aborts. */
  direct: ResolveHost;
  /** Bounds lookups that run and that wait, of both resolvers together. */
  limits?: SemaphoreLimits;
  /** Concurrent system lookups, for each of their two uses. Each tenant has one of them at most. */
  slots?: number;
  deadlineMs?: number;
}

const SHARED_TENANT = '';
/**
 * A worker sends 200 messages at once by default. All may belong to one tenant, each with its own host. There is no bound for all tenants
 * together: attempts and threads are bounded, and where tenants shared another, those with silent name servers would keep it from the rest.
 */
const LIMITS: SemaphoreLimits = {
  width: Number.POSITIVE_INFINITY,
  widthPerTenant: 16,
  waiting: 2_000,
  waitingPerTenant: 250,
};
/** For how long a name that has too many addresses is not asked again for its tenant. */
const WITH_TOO_MANY = { max: 20_000, ttl: 5 * MINUTE_MS };
/** How many lookups of the system may be costly for a tenant: one a minute. Being alone is no excuse: the others come meanwhile. */
const COSTLY: PaceLimits = { perSecond: 1 / 60, burst: 1, mostOwed: 1 };

/** Creates the resolver of a process. */
export function systemResolver(): ResolveHost {
  return makeResolver({
    system: (hostname) => once('system-lookups', () => new SystemLookups()).lookUp(hostname),
    direct: (hostname, _tenant, signal) => lookUpDirectly(hostname, signal),
    slots: SYSTEM_LOOKUPS / 2,
  });
}

/**
 * Combines two resolvers. The system's knows the hosts file and search domains, but each lookup holds a thread until the name server answers
 * or the time of a lookup is over. So a tenant has one system lookup at a time. Its other names wait for the system and are meanwhile
 * queried from DNS directly, which needs no thread and can be canceled. Names that DNS does not know, or whose answers are long, have their
 * own system slots, which names on silent servers cannot take.
 *
 * Running and waiting lookups are bounded per tenant, and so is the time of each. Tenants that wait are served round robin. Concurrent
 * lookups of one name by one tenant share a result. Results are not cached.
 *
 * A name with more than MAX_ADDRESSES fails, and is not asked again for some minutes. Reading thousands of addresses takes 20 ms of the
 * system, and a silent server all of a lookup's time: the slot of the tenant then rests.
 */
export function makeResolver(options: ResolverOptions): ResolveHost {
  const { system, direct, limits = LIMITS, slots = 1, deadlineMs = LOOKUP_TIMEOUT_MS } = options;
  const slotLimits = { ...limits, width: slots, widthPerTenant: 1 };
  const all = new FairSemaphore(limits);
  const pace = new Pace(COSTLY, () => false);
  const forAnyName = new FairSemaphore(slotLimits, pace);
  const forNamesUnknownToDns = new FairSemaphore(slotLimits, pace);
  const withTooMany = new LRUCache<string, true>(WITH_TOO_MANY);

  const askSystemIn = async (leaveSlot: Release, hostname: string) => {
    let cost = 0;
    try {
      const found = await system(hostname);
      if (found.length > MAX_ADDRESSES) cost = 1;
      return found;
    } catch (error) {
      if (error instanceof ExchangeError) cost = 1;
      throw error;
    } finally {
      leaveSlot(cost);
    }
  };

  const lookUp = async (hostname: string, tenant: string, signal: AbortSignal) => {
    signal.throwIfAborted();
    const leaveSlot = forAnyName.tryAcquire(tenant);
    if (leaveSlot !== null) return askSystemIn(leaveSlot, hostname);
    // A DNS result or a slot of the system resolver, whichever is first.
    const decided = new AbortController();
    const undecided = AbortSignal.any([signal, decided.signal]);
    const askSystem = async (semaphore: FairSemaphore) => {
      const release = await semaphore.acquire(tenant, undecided);
      if (undecided.aborted) release(0);
      undecided.throwIfAborted();
      decided.abort();
      return askSystemIn(release, hostname);
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
    const name = `${tenant}\n${hostname}`;
    if (withTooMany.has(name)) throw new ExchangeError('TOO_MANY_ADDRESSES');
    const release = await all.acquire(tenant, signal);
    // The place is held until the work ends, even after an abort: a thread of the system is busy until then.
    const work = lookUp(hostname, tenant, signal).finally(release);
    const judged = work.then((found) => {
      if (found.length <= MAX_ADDRESSES) return found;
      withTooMany.set(name, true);
      throw new ExchangeError('TOO_MANY_ADDRESSES');
    });
    return untilAborted(judged, signal);
  }, deadlineMs);
  return (hostname, tenant = SHARED_TENANT, signal) => lookups.ask(hostname, tenant, signal);
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

type LookUp = (hostname: string, tenant: string, signal: AbortSignal) => Promise<LookupAddress[]>;

interface Shared {
  answer: Promise<LookupAddress[]>;
  /** The number of callers that wait. */
  askers: number;
  abandon(reason: unknown): void;
}

/**
 * Running lookups, each shared by concurrent callers of one tenant for one name. A lookup is aborted at its deadline, or
 * when all of its callers have aborted. Tenants do not share lookups: one would wait in the queue of another.
 */
class SharedLookups {
  private readonly underWay = new Map<string, Shared>();

  constructor(
    private readonly lookUp: LookUp,
    private readonly deadlineMs: number,
  ) {}

  ask(hostname: string, tenant: string, signal?: AbortSignal): Promise<LookupAddress[]> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const key = `${tenant}\n${hostname}`;
    const shared = this.underWay.get(key) ?? this.start(key, hostname, tenant);
    shared.askers += 1;
    if (signal === undefined) return shared.answer;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        shared.askers -= 1;
        if (shared.askers === 0) shared.abandon(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      shared.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  private start(key: string, hostname: string, tenant: string): Shared {
    const controller = new AbortController();
    const end = () => {
      clearTimeout(timer);
      if (this.underWay.get(key) === shared) this.underWay.delete(key);
    };
    const abandon = (reason: unknown) => {
      // Later callers get a new lookup, not the failure of this one.
      end();
      controller.abort(reason);
    };
    const timer = setTimeout(() => abandon(new ExchangeError('LOOKUP_TIMEOUT')), this.deadlineMs);
    const shared: Shared = {
      answer: this.lookUp(hostname, tenant, controller.signal).finally(end),
      askers: 0,
      abandon,
    };
    this.underWay.set(key, shared);
    return shared;
  }
}
