import { CircleAlert } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { RelativeTime } from '@/components/ui/relative-time';
import { ColumnHeaders, Table, TableBody, TableCell, TableRow } from '@/components/ui/table';
import type { CleanupJob, CleanupSchedule } from '@/lib/retention/schema';
import { CronText } from './cron-text';

const JOB_LABELS: Record<CleanupJob, { label: string; about: string }> = {
  main: { label: 'Main cleanup', about: 'Deletes all expired data.' },
  burst: { label: 'Extra cleanup', about: 'Deletes expired data between two main cleanups, for up to a minute.' },
  cap: { label: 'Attempts per delivery', about: 'Deletes all but the newest attempts of each delivery.' },
};

/** The schedule, the last run and the next run of each cleanup job. */
export function RetentionSchedule({ jobs }: { jobs: readonly CleanupSchedule[] }) {
  return (
    <Table aria-label="Cleanups">
      <ColumnHeaders headers={['Cleanup', 'Runs', 'Last run', 'Next run']} />
      <TableBody>
        {jobs.map(({ job, cron, lastRun, nextRunAt }) => (
          <TableRow key={job}>
            <TableCell className="py-2.5">
              <span className="block min-w-0">
                <span className="font-medium">{JOB_LABELS[job].label}</span>
                <span className="block text-muted text-xs">{JOB_LABELS[job].about}</span>
              </span>
            </TableCell>
            <TableCell label="Runs">
              <CronText cron={cron} />
            </TableCell>
            <TableCell label="Last run">
              <LastRun run={lastRun} />
            </TableCell>
            <TableCell label="Next run">
              {nextRunAt === null ? <span className="text-muted">Never</span> : <RelativeTime at={nextRunAt} />}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function LastRun({ run }: { run: CleanupSchedule['lastRun'] }) {
  if (run === null) return <span className="text-muted">Not yet</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <RelativeTime at={run.startedAt} />
      {run.failed ? (
        <Badge tone="danger" icon={CircleAlert}>
          Failed
        </Badge>
      ) : null}
    </span>
  );
}
