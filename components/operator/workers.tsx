import { CircleAlert, CircleCheck } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { RelativeTime } from '@/components/ui/relative-time';
import { ColumnHeaders, Table, TableBody, TableCell, TableRow } from '@/components/ui/table';
import type { WorkerRecord } from '@/lib/admin/schema';
import { formatCount } from './format-size';

const HEADERS = [
  'Worker',
  'State',
  'Last seen',
  'Last poll',
  { name: 'In progress', align: 'end' },
  { name: 'Waiting', align: 'end' },
] as const;

/** The worker processes of the last day, their state and their load. */
export function Workers({ workers }: { workers: readonly WorkerRecord[] }) {
  const isNoneAlive = !workers.some(({ alive }) => alive);
  return (
    <Card title="Workers" description="The processes that deliver events. Workers that shut down leave the list." flush>
      {isNoneAlive ? (
        <div className="p-4">
          <Callout tone="danger">
            No worker is running, so no events are delivered and no emails are sent. Events are stored until one starts.
          </Callout>
        </div>
      ) : null}
      {workers.length > 0 ? <WorkerTable workers={workers} /> : null}
    </Card>
  );
}

function WorkerTable({ workers }: { workers: readonly WorkerRecord[] }) {
  return (
    <Table aria-label="Workers">
      <ColumnHeaders headers={HEADERS} />
      <TableBody>
        {workers.map((worker) => (
          <TableRow key={worker.id}>
            <TableCell className="wrap-anywhere font-medium">
              {worker.hostname}
              <span className="block font-normal text-muted text-xs">
                process {worker.pid}, version {worker.version}, started <RelativeTime at={worker.startedAt} />
              </span>
            </TableCell>
            <TableCell label="State">
              <State alive={worker.alive} />
            </TableCell>
            <TableCell label="Last seen">
              <RelativeTime at={worker.lastSeenAt} />
            </TableCell>
            <TableCell label="Last poll">
              {worker.lastPassAt === null ? (
                <span className="text-muted">Not yet</span>
              ) : (
                <RelativeTime at={worker.lastPassAt} />
              )}
            </TableCell>
            <TableCell label="In progress" className="tabular-nums sm:text-right">
              {formatCount(worker.underWay)}
            </TableCell>
            <TableCell label="Waiting" className="tabular-nums sm:text-right">
              {formatCount(worker.waiting)}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function State({ alive }: { alive: boolean }) {
  return alive ? (
    <Badge tone="success" icon={CircleCheck}>
      Healthy
    </Badge>
  ) : (
    <Badge tone="danger" icon={CircleAlert}>
      Not responding
    </Badge>
  );
}
