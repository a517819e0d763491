'use client';

import { TriangleAlert } from 'lucide-react';
import useSWR from 'swr';
import { RuleCell } from '@/components/retention/retention-classes';
import { DATA_CLASS_LABELS } from '@/components/retention/retention-labels';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { ErrorPanel } from '@/components/ui/error-panel';
import { formatBytes, formatCount } from '@/components/ui/format-figures';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { NoValue } from '@/components/ui/stat';
import { TableCard, type TableColumn } from '@/components/ui/table';
import type { PartitionedTable, RetainedData, RetentionState } from '@/lib/admin/schema';
import { PartitionMap } from './partition-map';
import { RetentionJobs } from './retention-jobs';

const WATCH_MS = 3_000;
const WATCHED_MS = 10 * 60_000;

/** The data that retention keeps, its partitions and its jobs. */
export function RetentionPanel() {
  const {
    data: state,
    error,
    mutate,
  } = useSWR<RetentionState, unknown>('/retention', {
    refreshInterval: (latest) => (latest !== undefined && isRunning(latest, Date.now()) ? WATCH_MS : 0),
  });
  if (state === undefined) {
    if (error !== undefined) {
      return <ErrorPanel what="We couldn’t load the retention state" error={error} onRetry={() => void mutate()} />;
    }
    return <PageSkeleton parts={['h-80 w-full', 'h-56 w-full', 'h-64 w-full']} />;
  }
  return (
    <div className="grid gap-4">
      <RetentionWarnings state={state} />
      <TableCard
        title="Stored data"
        description="Row counts are estimates. Deleted rows are counted per table, across all of its rules."
        columns={CLASS_COLUMNS}
        rows={state.classes.map((kept, index, all) => ({ ...kept, sharesTable: all[index - 1]?.table === kept.table }))}
        keyOf={({ data }) => data}
      />
      <Card title="Partitions" description="One partition per UTC day, so an expired day is dropped all at once." flush>
        {state.partitionMaintenanceEnabled ? null : (
          <Callout tone="warning" className="mx-4 mt-4">
            PARTITION_MAINTENANCE_ENABLED is false. Partitions are neither created nor dropped, and expired rows are
            deleted in batches.
          </Callout>
        )}
        <PartitionMap tables={state.tables} />
        <PartitionList tables={state.tables} />
      </Card>
      <RetentionJobs state={state} reload={() => mutate()} />
    </div>
  );
}

/** Whether a run has started and not ended. An old one may have crashed and does not count. */
function isRunning({ lastRuns }: RetentionState, nowMs: number): boolean {
  return lastRuns.some(
    ({ startedAt, endedAt, error }) => endedAt === null && error === null && nowMs - Date.parse(startedAt) < WATCHED_MS,
  );
}

/** The partition map as tables. */
function PartitionList({ tables }: { tables: readonly PartitionedTable[] }) {
  return (
    <details className="border-t px-4 py-3 text-sm">
      <summary className="w-max cursor-pointer rounded-sm font-medium">Show as a table</summary>
      <div className="mt-3 grid gap-6 lg:grid-cols-3">
        {tables.map(({ table, days, defaultRows, defaultSizeBytes }) => (
          <table key={table} className="w-full border-collapse self-start text-xs">
            <caption className="pb-1 text-left font-mono">{table}</caption>
            <thead>
              <tr className="border-b text-left text-muted">
                {['Day', 'Rows (estimated)', 'Size', 'State'].map((header) => (
                  <th key={header} scope="col" className="py-1 pr-3 font-medium">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="tabular-nums">
              <tr className="border-b">
                <td className="py-1 pr-3">default</td>
                <td className="pr-3">{formatCount(defaultRows)}</td>
                <td className="pr-3">{formatBytes(defaultSizeBytes)}</td>
                <td>{defaultRows === 0 ? 'empty' : 'not empty'}</td>
              </tr>
              {days.map(({ day, estimatedRows, sizeBytes, state }) => (
                <tr key={day} className="border-b last:border-b-0">
                  <td className="whitespace-nowrap py-1 pr-3">{day}</td>
                  <td className="pr-3">{formatCount(estimatedRows)}</td>
                  <td className="whitespace-nowrap pr-3">{formatBytes(sizeBytes)}</td>
                  <td>{state}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </details>
  );
}

/** Problems that need the operator. Renders nothing without one. */
function RetentionWarnings({ state }: { state: RetentionState }) {
  const growing = state.classes.filter(({ warning }) => warning === 'growing');
  const overdue = state.classes.filter(({ warning }) => warning === 'overdue');
  const nonEmpty = state.tables.filter(({ defaultRows }) => defaultRows > 0);
  const namesOf = (classes: typeof growing) => classes.map(({ data }) => DATA_CLASS_LABELS[data].label).join(', ');
  return (
    <>
      {growing.length === 0 ? null : (
        <Callout tone="danger">
          <span className="font-medium">{namesOf(growing)}:</span> the table keeps growing, nothing has been deleted for
          a day, and its oldest row is overdue. Check that a retention process is running.
        </Callout>
      )}
      {nonEmpty.length === 0 ? null : (
        <Callout tone="danger">
          <span className="font-medium">Default partitions are not empty:</span>{' '}
          {nonEmpty.map(({ table, defaultRows }) => `${formatCount(defaultRows)} in ${table}`).join(', ')}. These rows
          had no partition for their day.{' '}
          {state.partitionMaintenanceEnabled ? (
            <>
              The job <code className="font-mono text-xs">partitions</code> moves them to their partitions and deletes
              expired rows.
            </>
          ) : (
            'PARTITION_MAINTENANCE_ENABLED is false, so you have to move them yourself.'
          )}
        </Callout>
      )}
      {overdue.length === 0 ? null : (
        <Callout tone="warning">
          <span className="font-medium">{namesOf(overdue)}:</span> the oldest row expired more than a day ago. Check the
          last runs below. A row is kept longer only while its delivery is being retried.
        </Callout>
      )}
    </>
  );
}

/** Classes in one table are counted together, at the first of them. */
interface ClassRow extends RetainedData {
  sharesTable: boolean;
}

const countedAbove = <span className="text-muted">counted above</span>;

/** Each data class of the deployment: its rule, its size, and how many rows retention has removed. */
const CLASS_COLUMNS: TableColumn<ClassRow>[] = [
  {
    header: 'Data',
    className: 'py-2.5',
    cell: ({ data, table }) => (
      <span className="block min-w-0">
        <span className="font-medium">{DATA_CLASS_LABELS[data].label}</span>
        <code className="block font-mono text-muted text-xs">{table}</code>
      </span>
    ),
  },
  { header: 'Kept', cell: (kept) => <RuleCell own={kept} /> },
  {
    header: 'Oldest',
    cell: ({ oldestAt, warning }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {oldestAt === null ? <NoValue /> : <RelativeTime at={oldestAt} />}
        {warning === null ? null : (
          <Badge tone={warning === 'growing' ? 'danger' : 'warning'} icon={TriangleAlert}>
            {warning === 'growing' ? 'Growing' : 'Overdue'}
          </Badge>
        )}
      </span>
    ),
  },
  {
    header: 'Rows (estimated)',
    className: 'tabular-nums',
    cell: ({ estimatedRows }) => (estimatedRows === null ? <NoValue /> : formatCount(estimatedRows)),
  },
  {
    header: 'Size',
    className: 'whitespace-nowrap tabular-nums',
    cell: ({ sizeBytes }) => (sizeBytes === null ? <NoValue /> : formatBytes(sizeBytes)),
  },
  {
    header: 'Deleted',
    className: 'tabular-nums',
    cell: ({ sharesTable, removedRows }) => (sharesTable ? countedAbove : formatCount(removedRows)),
  },
  {
    header: 'Deleted by last run',
    className: 'tabular-nums',
    cell: ({ sharesTable, data, removedByLastRun }) =>
      sharesTable && data !== 'attemptsPerDelivery' ? countedAbove : formatCount(removedByLastRun),
  },
];
