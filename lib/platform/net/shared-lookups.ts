import type { LookupAddress } from 'node:dns';
import { LookupTimeoutError } from './failure-reason';

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
export class SharedLookups {
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
    const timer = setTimeout(() => abandon(new LookupTimeoutError('no address in time')), this.deadlineMs);
    const shared: Shared = {
      answer: this.lookUp(hostname, tenant, controller.signal).finally(end),
      askers: 0,
      abandon,
    };
    this.underWay.set(key, shared);
    return shared;
  }
}
