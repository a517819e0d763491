import type { Job } from '@/lib/jobs/schema';

/** Says why a job has failed, or its last tries have; undefined while nothing is wrong. */
export function describeFailure({
  status,
  failedTries,
  error,
}: Pick<Job, 'status' | 'failedTries' | 'error'>): string | undefined {
  if (error === null) return undefined;
  const tries = failedTries === 1 ? 'The last try failed' : `The last ${failedTries} tries failed`;
  if (status === 'RUNNING') return `${error} ${tries}. It tries again within ten minutes.`;
  // The first try of some jobs tells that another one is useless.
  if (status !== 'FAILED' || failedTries === 0) return error;
  return `${error} ${tries}. What it has done stays done; start it again to do the rest.`;
}
