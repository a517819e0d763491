import { CircleAlert, CircleCheck, CircleStop, Loader } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { formatDuration } from '@/components/ui/format-time';
import { RelativeTime } from '@/components/ui/relative-time';
import type { RetentionRun } from '@/lib/retention/schema';
import { STOPPED } from '@/lib/retention/stopped-policy';
import { formatCount } from './format-size';

/** The last run of a job: its time, result, duration and work. */
export function LastRun({ run }: { run: RetentionRun | undefined }) {
  if (run === undefined) return <span className="text-muted">Not yet</span>;
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <RelativeTime at={run.startedAt} />
        <Result run={run} />
      </span>
      <span className="wrap-anywhere text-muted text-xs">
        {run.endedAt === null ? null : `${formatDuration(Date.parse(run.endedAt) - Date.parse(run.startedAt))}, `}
        {run.error ?? describeRun(run)}
      </span>
    </span>
  );
}

function Result({ run: { endedAt, error } }: { run: RetentionRun }) {
  // The process stopped between two batches; the next run continues.
  if (error === STOPPED) return <Badge icon={CircleStop}>Stopped</Badge>;
  if (error !== null) {
    return (
      <Badge tone="danger" icon={CircleAlert}>
        Failed
      </Badge>
    );
  }
  if (endedAt === null) return <Badge icon={Loader}>Running or interrupted</Badge>;
  return (
    <Badge tone="success" icon={CircleCheck}>
      Succeeded
    </Badge>
  );
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
