import { RETENTION_JOBS, type RetentionJob } from '@/lib/retention/jobs/job-run';

export type RetentionCommand =
  | { task: 'schedules' }
  | { task: 'job'; job: RetentionJob; isDryRun: boolean }
  | { task: 'none'; fault: string };

const DRY_RUN = '--dry-run';
const USAGE = `The jobs are ${RETENTION_JOBS.join(', ')}: npm run retention -- JOB [${DRY_RUN}]`;

/** Parses the arguments of `npm run retention -- …`. Returns one line with the valid ones when they are invalid. */
export function parseArguments(args: string[]): RetentionCommand {
  if (args.length === 0) return { task: 'schedules' };
  const names = args.filter((arg) => arg !== DRY_RUN);
  const unknown = names.find((name) => !isJob(name));
  if (unknown !== undefined) return { task: 'none', fault: `"${unknown}" is not a job. ${USAGE}` };
  const [job, ...more] = names.filter(isJob);
  if (job === undefined || more.length > 0) return { task: 'none', fault: `Name one job. ${USAGE}` };
  return { task: 'job', job, isDryRun: args.includes(DRY_RUN) };
}

/**
 * Without `--` npm takes the flag as its own: `npm run retention main --dry-run` would then remove rows. npm leaves the flag in
 * the environment of the script and of the processes that it starts; `npm start` must ignore it.
 */
export function withNpmFlags(args: string[], environment: Record<string, string | undefined>): string[] {
  const isTaken = environment.npm_config_dry_run === 'true' && environment.npm_lifecycle_event === 'retention';
  return isTaken ? [...args, DRY_RUN] : args;
}

function isJob(name: string): name is RetentionJob {
  return (RETENTION_JOBS as readonly string[]).includes(name);
}
