import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from './globals';

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

/** Returns the current job if it holds a place. */
export function currentHolder(): Pick<Job, 'threadMs'> | undefined {
  const job = current().getStore();
  return job?.isHolding === true ? job : undefined;
}

const SUFFIX = ' holds a place';

/**
 * Returns the name under which the current job waits for turns: its owner's, or another one while it holds a place, so that it does not wait
 * for other work of its owner.
 */
export const waitingTenant = (ownerId: string) => (currentHolder() === undefined ? ownerId : `${ownerId}${SUFFIX}`);

export const isHoldingTenant = (tenant: string) => tenant.endsWith(SUFFIX);
