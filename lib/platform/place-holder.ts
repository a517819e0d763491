import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from './globals';
import type { Pace } from './pace';

/** A job that may hold a place which all owners share. */
interface Job {
  isHolding: boolean;
  /** What its turns of the thread cost while it holds the place. */
  threadMs: number;
}

const current = () => once('place-holder', () => new AsyncLocalStorage<Job>());

/** Runs a job that may hold a place which all owners share. */
export function mayHoldPlace<T>(job: () => T): T {
  return current().run({ isHolding: false, threadMs: 0 }, job);
}

/**
 * Notes that the current job holds its place from now on. Others wait for it, so the job neither rests nor waits for other work of its owner
 * until the place is given back: the owner rests afterwards.
 * @returns ends that, and returns the milliseconds of the thread that the job used
 */
export function holdPlace(): () => number {
  const job = current().getStore();
  if (job !== undefined) job.isHolding = true;
  return () => {
    if (job !== undefined) job.isHolding = false;
    return job?.threadMs ?? 0;
  };
}

/**
 * Runs work that holds a place which all owners share, like `holdPlace`.
 * @param release gives the place back. Receives the milliseconds of the thread that the work used
 */
export function holdingPlace<T>(work: () => Promise<T>, release: (threadMs: number) => void = () => {}): Promise<T> {
  const holder = currentHolder();
  if (holder !== undefined) {
    const before = holder.threadMs;
    return work().finally(() => release(holder.threadMs - before));
  }
  return mayHoldPlace(() => {
    const end = holdPlace();
    return work().finally(() => release(end()));
  });
}

/** Returns the current job if it holds a place. */
export function currentHolder(): Pick<Job, 'threadMs'> | undefined {
  const job = current().getStore();
  return job?.isHolding === true ? job : undefined;
}

const SUFFIX = ' holds a place';

/** Whether a tenant of turns is a job that holds a place: see `waitingTenant`. */
export const isHolder = (tenant: string) => tenant.endsWith(SUFFIX);

/** Returns the owner of a job that holds a place, or of other jobs. */
export const ownerOfJob = (tenant: string) => (isHolder(tenant) ? tenant.slice(0, -SUFFIX.length) : tenant);

/**
 * Returns the name under which the current job waits for turns: its owner's, or another one while it holds a place, so that it does not wait
 * for other work of its owner.
 */
export const waitingTenant = (ownerId: string) => (currentHolder() === undefined ? ownerId : `${ownerId}${SUFFIX}`);

type TurnPace = Pick<Pace, 'restAfter' | 'mostUsed'>;

/**
 * Bounds turns of jobs some of which hold places. An owner pays for these, too, and rests for them afterwards (`restAfter`).
 * @param restOfHolder returns how long a job that holds a place rests after such a turn; by default it does not rest
 */
export function paceWithHolders(pace: TurnPace, restOfHolder: (ownerId: string, cost: number) => number = () => 0) {
  return {
    mostUsed: pace.mostUsed,
    restAfter(tenant: string, cost: number): number {
      if (!isHolder(tenant)) return pace.restAfter(tenant, cost);
      const ownerId = ownerOfJob(tenant);
      pace.restAfter(ownerId, cost);
      return restOfHolder(ownerId, cost);
    },
  };
}
