import { CircleAlert, CircleCheck, Loader } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { RelativeTime } from '@/components/ui/relative-time';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import type { RetentionRun } from '@/lib/admin/schema';
import { formatCount } from './format-size';

export function LastRuns({ runs }: { runs: RetentionRun[] }) {
  if (runs.length === 0) return <p className="px-4 py-3 text-muted text-sm">No run has been recorded yet.</p>;
  return (
    <Table aria-label="Last runs">
      <TableHead>
        <TableRow>
          {['Job', 'Started', 'Result', 'Did'].map((header) => (
            <TableHeader key={header} scope="col">
              {header}
            </TableHeader>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {runs.map((run) => (
          <TableRow key={run.job}>
            <TableCell className="font-medium">{run.job}</TableCell>
            <TableCell label="Started">
              <RelativeTime at={run.startedAt} />
            </TableCell>
            <TableCell label="Result">
              <Result run={run} />
            </TableCell>
            <TableCell label="Did">{describeWork(run)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Result({ run: { endedAt, error } }: { run: RetentionRun }) {
  if (error !== null) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="danger" icon={CircleAlert}>
          Failed
        </Badge>
        <span className="wrap-anywhere text-muted text-xs">{error}</span>
      </span>
    );
  }
  if (endedAt === null) return <Badge icon={Loader}>Under way, or broken off</Badge>;
  return (
    <Badge tone="success" icon={CircleCheck}>
      Ended well
    </Badge>
  );
}

/** "3 partitions made, 120 events removed". */
export function describeWork(
  run: Pick<RetentionRun, 'rowsRemoved' | 'partitionsCreated' | 'partitionsDropped'>,
): string {
  const partitions = (count: number) => `${formatCount(count)} ${count === 1 ? 'partition' : 'partitions'}`;
  const parts = [
    ...(run.partitionsCreated > 0 ? [`${partitions(run.partitionsCreated)} made`] : []),
    ...(run.partitionsDropped > 0 ? [`${partitions(run.partitionsDropped)} dropped`] : []),
    ...Object.entries(run.rowsRemoved)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `${formatCount(count)} of ${table} removed`),
  ];
  return parts.length === 0 ? 'nothing to do' : parts.join(', ');
}
