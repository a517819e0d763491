'use client';

import { CircleAlert, CircleCheck, CircleStop, Loader, type LucideIcon, Play } from 'lucide-react';
import { useState } from 'react';
import { ApiError, describeError } from '@/components/auth-session/api-error';
import { CronText } from '@/components/retention/cron-text';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatCount } from '@/components/ui/format-figures';
import { formatDuration, formatSpan } from '@/components/ui/format-time';
import { RelativeTime } from '@/components/ui/relative-time';
import { TableCard, type TableColumn } from '@/components/ui/table';
import { toast } from '@/components/ui/toast';
import type { JobSchedule, RetentionJob, RetentionState } from '@/lib/admin/schema';
import type { RetentionRun } from '@/lib/retention/schema';
import { STOPPED } from '@/lib/retention/stopped-policy';
import { useOperator } from './operator-context';

/** What each job does, the message after it has run, and the question before a job that can remove much data. */
const JOBS: Record<
  RetentionJob,
  { about: string; done: string; question?: { title: string; description: string; confirmLabel: string } }
> = {
  main: {
    about: 'Deletes all expired data, and creates and drops partitions.',
    done: 'Expired data deleted.',
    question: {
      title: 'Run the main cleanup now?',
      description:
        'Permanently deletes all data that has expired under the rules on this page, as the nightly run does.',
      confirmLabel: 'Run main cleanup',
    },
  },
  burst: {
    about: 'Runs the main cleanup for up to a minute.',
    done: 'Burst cleanup finished.',
    question: {
      title: 'Run the burst cleanup now?',
      description: 'Permanently deletes data that has expired under the rules on this page, for up to a minute.',
      confirmLabel: 'Run burst cleanup',
    },
  },
  cap: { about: 'Deletes all but the newest attempts of each delivery.', done: 'Extra attempts deleted.' },
  metrics: { about: 'Records the row count of each table.', done: 'Table sizes recorded.' },
  partitions: {
    about: 'Creates partitions for the coming days and empties the default partitions.',
    done: 'Partitions for the coming days are ready.',
  },
};

interface JobsProps {
  state: RetentionState;
  reload: () => Promise<RetentionState | undefined>;
}

/** Every job: its purpose, schedule and last run, and a button that runs it now. */
export function RetentionJobs({ state, reload }: JobsProps) {
  const columns: TableColumn<JobSchedule>[] = [
    {
      header: 'Job',
      className: 'py-2.5',
      cell: ({ job }) => (
        <span className="block min-w-0">
          <code className="font-medium font-mono text-xs">{job}</code>
          <span className="block max-w-64 text-muted text-xs">{JOBS[job].about}</span>
        </span>
      ),
    },
    { header: 'Runs', className: 'whitespace-nowrap', cell: (schedule) => <Runs schedule={schedule} /> },
    { header: 'Last run', cell: ({ job }) => <LastRun run={state.lastRuns.find((run) => run.job === job)} /> },
    { header: 'Next', className: 'whitespace-nowrap', cell: (schedule) => <Next schedule={schedule} /> },
    {
      header: 'Run it now',
      isHeaderHidden: true,
      className: 'max-sm:pt-2 sm:text-right',
      cell: ({ job }) => <RunButton job={job} state={state} reload={reload} />,
    },
  ];
  return (
    <TableCard
      title="Jobs"
      description="The retention process runs these jobs. You can also run each one here."
      columns={columns}
      rows={state.schedules}
      keyOf={({ job }) => job}
    />
  );
}

function Runs({ schedule: { cron, everyMs } }: { schedule: JobSchedule }) {
  if (cron !== null) return <CronText cron={cron} />;
  if (everyMs === null) return <span className="text-muted">Manually</span>;
  return `Every ${formatSpan(everyMs / 1000)}`;
}

function Next({ schedule: { nextRunAt, cron, everyMs } }: { schedule: JobSchedule }) {
  if (nextRunAt !== null) return <RelativeTime at={nextRunAt} />;
  return (
    <span className="text-muted">
      {cron === null && everyMs === null ? 'Never' : 'When the retention process runs'}
    </span>
  );
}

/** Runs a job now, after a question if it has one. */
function RunButton({ job, state, reload }: JobsProps & { job: RetentionJob }) {
  const operator = useOperator();
  const [pending, setPending] = useState(false);
  const [asked, setAsked] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      await operator.send('/retention/run', { method: 'POST', body: { job } });
      const last = (await reload())?.lastRuns.find((candidate) => candidate.job === job);
      if (last?.endedAt === null) toast.success(`The job ${job} is still running. Its result will appear here.`);
      else toast.success(JOBS[job].done);
    } catch (thrown) {
      const { detail } = describeError(thrown);
      // It is already running, or disabled.
      const isConflict = thrown instanceof ApiError && thrown.status === 409;
      toast.error(isConflict ? detail : `The job ${job} failed. ${detail}`);
      await reload();
    } finally {
      setPending(false);
    }
  };
  const { question } = JOBS[job];
  const isOff = job === 'partitions' && !state.partitionMaintenanceEnabled;
  return (
    <>
      <Button
        size="sm"
        loading={pending}
        aria-label={`Run ${job} now`}
        disabledReason={isOff ? 'PARTITION_MAINTENANCE_ENABLED is false' : undefined}
        onClick={() => (question === undefined ? void run() : setAsked(true))}
      >
        <Play aria-hidden="true" />
        Run
      </Button>
      {question === undefined ? null : (
        <ConfirmDialog
          open={asked}
          onOpenChange={setAsked}
          {...question}
          // Not awaited: the dialog closes now, and the run may take minutes.
          onConfirm={() => void run()}
        />
      )}
    </>
  );
}

/** The last run of a job: its time, result, duration and work. */
function LastRun({ run }: { run: RetentionRun | undefined }) {
  if (run === undefined) return <span className="text-muted">Not yet</span>;
  const { tone, icon, word } = resultOf(run);
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <RelativeTime at={run.startedAt} />
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </span>
      <span className="wrap-anywhere text-muted text-xs">
        {run.endedAt === null ? null : `${formatDuration(Date.parse(run.endedAt) - Date.parse(run.startedAt))}, `}
        {run.error ?? describeRun(run)}
      </span>
    </span>
  );
}

function resultOf({ endedAt, error }: RetentionRun): { tone: Tone; icon: LucideIcon; word: string } {
  // The process stopped between two batches; the next run continues.
  if (error === STOPPED) return { tone: 'neutral', icon: CircleStop, word: 'Stopped' };
  if (error !== null) return { tone: 'danger', icon: CircleAlert, word: 'Failed' };
  if (endedAt === null) return { tone: 'neutral', icon: Loader, word: 'Running or interrupted' };
  return { tone: 'success', icon: CircleCheck, word: 'Succeeded' };
}

/** Describes the work of a run: "3 partitions created, 120 rows deleted from events". */
export function describeRun(
  run: Pick<RetentionRun, 'job' | 'endedAt' | 'rowsRemoved' | 'partitionsCreated' | 'partitionsDropped'>,
): string {
  const partitions = (count: number) => `${formatCount(count)} ${count === 1 ? 'partition' : 'partitions'}`;
  const parts = [
    ...(run.partitionsCreated > 0 ? [`${partitions(run.partitionsCreated)} created`] : []),
    ...(run.partitionsDropped > 0 ? [`${partitions(run.partitionsDropped)} dropped`] : []),
    ...Object.entries(run.rowsRemoved)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `${formatCount(count)} rows deleted from ${table}`),
    ...(run.job === 'metrics' && run.endedAt !== null ? ['sizes recorded'] : []),
  ];
  if (parts.length > 0) return parts.join(', ');
  return run.endedAt === null ? 'nothing done yet' : 'nothing to do';
}
