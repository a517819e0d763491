import { CronText } from '@/components/retention/cron-text';
import { RelativeTime } from '@/components/ui/relative-time';
import { TableCard, TableCell, TableRow } from '@/components/ui/table';
import type { JobSchedule, RetentionState } from '@/lib/admin/schema';
import { JOB_LABELS } from './retention-job-labels';
import { RunButton } from './retention-run-button';
import { LastRun } from './retention-runs';

const HEADERS = ['Job', 'Runs', 'Last run', 'Next', { name: 'Run it now', isHidden: true }] as const;

/** Every job: its purpose, schedule and last run, and a button that runs it now. */
export function RetentionJobs({
  state,
  reload,
}: {
  state: RetentionState;
  reload: () => Promise<RetentionState | undefined>;
}) {
  return (
    <TableCard
      title="Jobs"
      description="The retention process runs these jobs. You can also run each one here."
      headers={HEADERS}
    >
      {state.schedules.map((schedule) => (
        <TableRow key={schedule.job}>
          <TableCell className="py-2.5">
            <span className="block min-w-0">
              <code className="font-medium font-mono text-xs">{schedule.job}</code>
              <span className="block max-w-64 text-muted text-xs">{JOB_LABELS[schedule.job].about}</span>
            </span>
          </TableCell>
          <TableCell label="Runs" className="whitespace-nowrap">
            <Runs schedule={schedule} />
          </TableCell>
          <TableCell label="Last run">
            <LastRun run={state.lastRuns.find(({ job }) => job === schedule.job)} />
          </TableCell>
          <TableCell label="Next" className="whitespace-nowrap">
            <Next schedule={schedule} />
          </TableCell>
          <TableCell className="max-sm:pt-2 sm:text-right">
            <RunButton job={schedule.job} state={state} reload={reload} />
          </TableCell>
        </TableRow>
      ))}
    </TableCard>
  );
}

function Runs({ schedule: { cron, everyMs } }: { schedule: JobSchedule }) {
  if (cron !== null) {
    return <CronText cron={cron} />;
  }
  if (everyMs === null) return <span className="text-muted">Manually</span>;
  return `Every ${formatPeriod(everyMs)}`;
}

function Next({ schedule: { nextRunAt, cron, everyMs } }: { schedule: JobSchedule }) {
  if (nextRunAt !== null) return <RelativeTime at={nextRunAt} />;
  return (
    <span className="text-muted">
      {cron === null && everyMs === null ? 'Never' : 'When the retention process runs'}
    </span>
  );
}

/** Formats a period: "15 min", "1 h", "90 s". */
function formatPeriod(everyMs: number): string {
  const seconds = everyMs / 1000;
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  if (seconds >= 60 && seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}
