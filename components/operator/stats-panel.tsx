'use client';

import { RotateCw } from 'lucide-react';
import useSWR from 'swr';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageSkeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import { TableCard, TableCell, TableRow } from '@/components/ui/table';
import type { Stats } from '@/lib/admin/schema';
import { formatBytes, formatCount } from './format-size';
import { WaitingWork } from './waiting-work';
import { Workers } from './workers';

const HEADERS = ['Table', { name: 'Rows (estimated)', align: 'end' }, { name: 'Size', align: 'end' }] as const;

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
      <WaitingWork stats={stats} />
      <TableSizes database={stats.database} />
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

/** The sizes of the tables that grow with use. */
function TableSizes({ database }: { database: Stats['database'] }) {
  return (
    <TableCard
      title="Database"
      description={`${formatBytes(database.sizeBytes)} in total. Row counts are estimates.`}
      headers={HEADERS}
      label="Tables"
    >
      {database.tables.map(({ table, estimatedRows, sizeBytes }) => (
        <TableRow key={table}>
          <TableCell className="font-mono text-xs">{table}</TableCell>
          <TableCell label="Rows (estimated)" className="tabular-nums sm:text-right">
            {formatCount(estimatedRows)}
          </TableCell>
          <TableCell label="Size" className="tabular-nums sm:text-right">
            {formatBytes(sizeBytes)}
          </TableCell>
        </TableRow>
      ))}
    </TableCard>
  );
}
