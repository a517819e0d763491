import { TriangleAlert } from 'lucide-react';
import { RuleCell } from '@/components/retention/retention-classes';
import { DATA_CLASS_LABELS } from '@/components/retention/retention-labels';
import { Badge } from '@/components/ui/badge';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import { TableCard, TableCell, TableRow } from '@/components/ui/table';
import type { RetainedData } from '@/lib/admin/schema';
import { formatBytes, formatCount } from './format-size';

const HEADERS = ['Data', 'Kept', 'Oldest', 'Rows (estimated)', 'Size', 'Deleted', 'Deleted by last run'];

/** Each data class of the deployment: its rule, its size, and how many rows retention has removed. */
export function RetainedClasses({ classes }: { classes: readonly RetainedData[] }) {
  return (
    <TableCard
      title="Stored data"
      description="Row counts are estimates. Deleted rows are counted per table, across all of its rules."
      headers={HEADERS}
    >
      {classes.map((kept, index) => (
        <ClassRow key={kept.data} kept={kept} sharesTable={classes[index - 1]?.table === kept.table} />
      ))}
    </TableCard>
  );
}

function ClassRow({ kept, sharesTable }: { kept: RetainedData; sharesTable: boolean }) {
  const { data, table, oldestAt, estimatedRows, sizeBytes, removedRows, removedByLastRun, warning } = kept;
  return (
    <TableRow>
      <TableCell className="py-2.5">
        <span className="block min-w-0">
          <span className="font-medium">{DATA_CLASS_LABELS[data].label}</span>
          <code className="block font-mono text-muted text-xs">{table}</code>
        </span>
      </TableCell>
      <TableCell label="Kept">
        <RuleCell own={kept} />
      </TableCell>
      <TableCell label="Oldest">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {oldestAt === null ? <NoValue /> : <RelativeTime at={oldestAt} />}
          {warning === null ? null : (
            <Badge tone={warning === 'growing' ? 'danger' : 'warning'} icon={TriangleAlert}>
              {warning === 'growing' ? 'Growing' : 'Overdue'}
            </Badge>
          )}
        </span>
      </TableCell>
      <TableCell label="Rows (estimated)" className="tabular-nums">
        {estimatedRows === null ? <NoValue /> : formatCount(estimatedRows)}
      </TableCell>
      <TableCell label="Size" className="whitespace-nowrap tabular-nums">
        {sizeBytes === null ? <NoValue /> : formatBytes(sizeBytes)}
      </TableCell>
      <TableCell label="Deleted" className="tabular-nums">
        {sharesTable ? <span className="text-muted">counted above</span> : formatCount(removedRows)}
      </TableCell>
      <TableCell label="Deleted by last run" className="tabular-nums">
        {sharesTable && data !== 'attemptsPerDelivery' ? (
          <span className="text-muted">counted above</span>
        ) : (
          formatCount(removedByLastRun)
        )}
      </TableCell>
    </TableRow>
  );
}
