import type { Job } from '@/lib/jobs/schema';
import { describeFailure } from './describe-failure';

/** Why a job has failed, or its last tries have; nothing while nothing is wrong. */
export function JobFailure({
  job,
  className = '',
}: {
  job: Pick<Job, 'status' | 'failedTries' | 'error'>;
  className?: string;
}) {
  const failure = describeFailure(job);
  return failure === undefined ? null : <p className={`text-danger-text text-sm ${className}`}>{failure}</p>;
}
