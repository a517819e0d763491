import { readFigures } from '@/lib/platform/read-figures';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { listLastTimes, type RunTimes } from './run-figures-sql';

/** Reads the times of the last runs, of every job. */
export function listRunTimes(): Promise<RunTimes[]> {
  return readFigures(listLastTimes, RETENTION_JOBS);
}
