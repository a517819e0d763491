import type { RetentionJob } from '@/lib/admin/schema';
import { command, type GroupSpec } from '@/lib/cli/spec';

const JOBS = ['main', 'cap', 'burst', 'metrics', 'partitions'] as const satisfies readonly RetentionJob[];

const showRetention = command({
  name: 'show',
  summary: 'Show when each retention job runs next.',
  examples: [{ line: 'admin retention show', does: 'Check that old data is deleted.' }],
  run: async ({ operator, signal, out }) => {
    const state = await operator.admin.getRetention({ signal });
    if (out.isJson) return out.record(state, []);
    await out.list(
      state.schedules,
      [
        { header: 'JOB', value: ({ job }) => job },
        {
          header: 'SCHEDULE',
          value: ({ cron, everyMs }) => cron ?? (everyMs === null ? 'on demand' : `every ${everyMs / 1000} s`),
        },
        { header: 'NEXT RUN', value: ({ nextRunAt }) => nextRunAt, kind: 'time' },
      ],
      { limit: undefined, empty: 'No jobs are configured.' },
    );
    for (const { table, warning } of state.classes) {
      if (warning !== null) out.note(`${table} is ${warning}.`);
    }
  },
});

const runRetention = command({
  name: 'run',
  summary: 'Run a retention job now. A long one continues on the server.',
  args: { job: { description: 'job to run', choices: JOBS } },
  examples: [{ line: 'admin retention run main', does: 'Delete old data now.' }],
  run: async ({ operator, signal, out }, { args }) => {
    await operator.admin.runRetention({ job: args.job as RetentionJob }, { signal });
    out.done(
      { job: args.job, started: true },
      `The job ${args.job} has run, or is still running on the server. See: eds admin retention show`,
    );
  },
});

export const adminRetention: GroupSpec = {
  name: 'retention',
  summary: 'View and run the jobs that delete old data.',
  commands: [showRetention, runRetention],
};
