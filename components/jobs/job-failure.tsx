import type { Job } from '@/lib/jobs/schema';

type TriedJob = Pick<Job, 'status' | 'failedTries' | 'error'>;

/** Says why a job has failed, or its last tries have; undefined while nothing is wrong. */
export function describeFailure({ status, failedTries, error }: TriedJob): string | undefined {
  if (error === null) return undefined;
  const tries = failedTries === 1 ? 'The last try failed' : `The last ${failedTries} tries failed`;
  if (status === 'RUNNING') return `${error} ${tries}. It tries again within ten minutes.`;
  // The first try of some jobs tells that another one is useless.
  if (status !== 'FAILED' || failedTries === 0) return error;
  return `${error} ${tries}. What it has done stays done; start it again to do the rest.`;
}

/** Why a job has failed, or its last tries have; nothing while nothing is wrong. */
export function JobFailure({ job, className = '' }: { job: TriedJob; className?: string }) {
  const failure = describeFailure(job);
  return failure === undefined ? null : <p className={`text-danger-text text-sm ${className}`}>{failure}</p>;
}
