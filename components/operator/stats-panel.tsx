'use client';

import { CircleAlert, CircleCheck, RotateCw } from 'lucide-react';
import useSWR from 'swr';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { ErrorPanel } from '@/components/ui/error-panel';
import { formatBytes, formatCount } from '@/components/ui/format-figures';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { NoValue, Stat, StatList } from '@/components/ui/stat';
import { RowsTable, TableCard, type TableColumn } from '@/components/ui/table';
import type { Stats, WorkerRecord } from '@/lib/admin/schema';

/** Statistics of the deployment. */
export function StatsPanel() {
  const { data: stats, error, mutate, isValidating } = useSWR<Stats, unknown>('/stats');
  if (stats === undefined) {
    if (error !== undefined) {
      return <ErrorPanel what="We couldn’t load the statistics" error={error} onRetry={() => void mutate()} />;
    }
    return <PageSkeleton parts={['h-32 w-full', 'h-32 w-full', 'h-48 w-full']} />;
  }
  return (
    <div className="grid gap-4">
      <Card
        title="Deployment"
        actions={
          <Button size="sm" loading={isValidating} onClick={() => void mutate()}>
            <RotateCw aria-hidden="true" />
            Refresh
          </Button>
        }
      >
        <StatList>
          <Count label="Organizations" count={stats.organizations.living} />
          <Count label="Being deleted" count={stats.organizations.beingRemoved} />
          <Count label="Users" count={stats.users} />
          <Count label="Projects" count={stats.projects} />
          <Count label="Endpoints enabled" count={stats.endpoints.enabled} />
          <Count label="Endpoints paused" count={stats.endpoints.paused} />
          <Count label="Endpoints disabled" count={stats.endpoints.disabled} />
        </StatList>
      </Card>
      <Card title="Last 24 hours">
        <StatList>
          <Count label="Events" count={stats.last24Hours.events} />
          <Count label="Incoming events" count={stats.last24Hours.incomingEvents} />
          <Count label="Deliveries succeeded" count={stats.last24Hours.deliveries.succeeded} />
          <Count label="Deliveries failed" count={stats.last24Hours.deliveries.failed} />
          <Count label="Deliveries retrying" count={stats.last24Hours.deliveries.retrying} />
          <Count label="Deliveries queued" count={stats.last24Hours.deliveries.queued} />
        </StatList>
      </Card>
      <Workers workers={stats.workers} />
      <TableCard
        title="Queues"
        description="Queued work. Dead letters aren’t retried."
        columns={QUEUE_COLUMNS}
        rows={queuesOf(stats)}
        keyOf={({ name }) => name}
      />
      <TableCard
        title="Database"
        description={`${formatBytes(stats.database.sizeBytes)} in total. Row counts are estimates.`}
        label="Tables"
        columns={SIZE_COLUMNS}
        rows={stats.database.tables}
        keyOf={({ table }) => table}
      />
    </div>
  );
}

function Count({ label, count }: { label: string; count: number }) {
  return (
    <Stat label={label}>
      <span className="font-semibold text-lg tabular-nums">{formatCount(count)}</span>
    </Stat>
  );
}

type TableSize = Stats['database']['tables'][number];

const SIZE_COLUMNS: TableColumn<TableSize>[] = [
  { header: 'Table', className: 'font-mono text-xs', cell: ({ table }) => table },
  { header: 'Rows (estimated)', align: 'end', cell: ({ estimatedRows }) => formatCount(estimatedRows) },
  { header: 'Size', align: 'end', cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
];

/** The waiting work of one kind; counts that do not exist are undefined. */
interface Queue {
  name: string;
  split?: string;
  waiting: number;
  due?: number;
  dead?: number;
  oldestAt: string | null;
}

const countOf = (count: number | undefined) =>
  count === undefined ? <NoValue label="Not counted" /> : formatCount(count);

const QUEUE_COLUMNS: TableColumn<Queue>[] = [
  {
    header: 'Work',
    className: 'font-medium',
    cell: ({ name, split }) => (
      <>
        {name}
        {split === undefined ? null : <span className="block font-normal text-muted text-xs">{split}</span>}
      </>
    ),
  },
  { header: 'Waiting', align: 'end', cell: ({ waiting }) => countOf(waiting) },
  { header: 'Due', align: 'end', cell: ({ due }) => countOf(due) },
  { header: 'Dead letters', align: 'end', cell: ({ dead }) => countOf(dead) },
  { header: 'Oldest', cell: ({ oldestAt }) => (oldestAt === null ? <NoValue /> : <RelativeTime at={oldestAt} />) },
];

function queuesOf({ deliveries, outbox, mail }: Stats): Queue[] {
  const split = `${formatCount(deliveries.queued)} queued, ${formatCount(deliveries.retrying)} retrying`;
  return [
    { name: 'Events awaiting fan-out', waiting: outbox.pending, dead: outbox.dead, oldestAt: outbox.oldestPendingAt },
    { name: 'Deliveries', waiting: deliveries.pending, split, due: deliveries.due, oldestAt: deliveries.oldestDueAt },
    { name: 'Emails', waiting: mail.pending, dead: mail.dead, oldestAt: mail.oldestPendingAt },
  ];
}

const WORKER_COLUMNS: TableColumn<WorkerRecord>[] = [
  {
    header: 'Worker',
    className: 'wrap-anywhere font-medium',
    cell: ({ hostname, pid, version, startedAt }) => (
      <div>
        {hostname}
        <span className="block font-normal text-muted text-xs">
          process {pid}, version {version}, started <RelativeTime at={startedAt} />
        </span>
      </div>
    ),
  },
  {
    header: 'State',
    cell: ({ alive }) =>
      alive ? (
        <Badge tone="success" icon={CircleCheck}>
          Healthy
        </Badge>
      ) : (
        <Badge tone="danger" icon={CircleAlert}>
          Not responding
        </Badge>
      ),
  },
  { header: 'Last seen', cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
  {
    header: 'Last poll',
    cell: ({ lastPassAt }) =>
      lastPassAt === null ? <span className="text-muted">Not yet</span> : <RelativeTime at={lastPassAt} />,
  },
  { header: 'In progress', align: 'end', cell: ({ underWay }) => formatCount(underWay) },
  { header: 'Waiting', align: 'end', cell: ({ waiting }) => formatCount(waiting) },
];

/** The worker processes of the last day, their state and their load. */
function Workers({ workers }: { workers: readonly WorkerRecord[] }) {
  return (
    <Card title="Workers" description="The processes that deliver events. Workers that shut down leave the list." flush>
      {workers.some(({ alive }) => alive) ? null : (
        <div className="p-4">
          <Callout tone="danger">
            No worker is running, so no events are delivered and no emails are sent. Events are stored until one starts.
          </Callout>
        </div>
      )}
      {workers.length > 0 ? (
        <RowsTable label="Workers" columns={WORKER_COLUMNS} rows={workers} keyOf={({ id }) => id} />
      ) : null}
    </Card>
  );
}
