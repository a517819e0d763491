import { Card } from '@/components/ui/card';
import { RelativeTime } from '@/components/ui/relative-time';
import { ColumnHeaders, Table, TableBody, TableCell, TableRow } from '@/components/ui/table';
import type { Stats } from '@/lib/admin/schema';
import { formatCount } from './format-size';

/** What the workers have yet to do, and what they have given up. */
export function WaitingWork({ stats: { deliveries, outbox, mail } }: { stats: Stats }) {
  const rows = [
    { name: 'Deliveries', pending: deliveries.pending, due: deliveries.due, oldestAt: deliveries.oldestDueAt },
    { name: 'Events to fan out', pending: outbox.pending, dead: outbox.dead, oldestAt: outbox.oldestPendingAt },
    { name: 'Mails', pending: mail.pending, dead: mail.dead, oldestAt: mail.oldestPendingAt },
  ];
  return (
    <Card title="Waiting" description="What the workers have yet to do; what is dead they have given up." flush>
      <Table aria-label="Waiting">
        <ColumnHeaders names={['What', 'Pending', 'Due', 'Dead', 'Oldest']} />
        <TableBody>
          {rows.map(({ name, pending, due, dead, oldestAt }) => (
            <TableRow key={name}>
              <TableCell className="font-medium">{name}</TableCell>
              <NumberCell label="Pending" count={pending} />
              <NumberCell label="Due" count={due} />
              <NumberCell label="Dead" count={dead} />
              <TableCell label="Oldest">
                {oldestAt === null ? <span className="text-muted">none waits</span> : <RelativeTime at={oldestAt} />}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

function NumberCell({ label, count }: { label: string; count: number | undefined }) {
  return (
    <TableCell label={label} className="tabular-nums">
      {count === undefined ? <span className="text-muted">–</span> : formatCount(count)}
    </TableCell>
  );
}
