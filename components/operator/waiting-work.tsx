import { RelativeTime } from '@/components/ui/relative-time';
import { TableCell, TableRow } from '@/components/ui/table';
import { TableCard } from '@/components/ui/table-card';
import type { Stats } from '@/lib/admin/schema';
import { formatCount } from './format-size';

/** Counts the pending and the dead work of the workers. */
export function WaitingWork({ stats: { deliveries, outbox, mail } }: { stats: Stats }) {
  const rows = [
    { name: 'Deliveries', pending: deliveries.pending, due: deliveries.due, oldestAt: deliveries.oldestDueAt },
    { name: 'Events to fan out', pending: outbox.pending, dead: outbox.dead, oldestAt: outbox.oldestPendingAt },
    { name: 'Emails', pending: mail.pending, dead: mail.dead, oldestAt: mail.oldestPendingAt },
  ];
  return (
    <TableCard
      title="Waiting"
      description="Work that the workers have not finished. Dead work is not tried again."
      headers={['What', 'Pending', 'Due', 'Dead', 'Oldest']}
    >
      {rows.map(({ name, pending, due, dead, oldestAt }) => (
        <TableRow key={name}>
          <TableCell className="font-medium">{name}</TableCell>
          <NumberCell label="Pending" count={pending} />
          <NumberCell label="Due" count={due} />
          <NumberCell label="Dead" count={dead} />
          <TableCell label="Oldest">
            {oldestAt === null ? <span className="text-muted">none</span> : <RelativeTime at={oldestAt} />}
          </TableCell>
        </TableRow>
      ))}
    </TableCard>
  );
}

function NumberCell({ label, count }: { label: string; count: number | undefined }) {
  return (
    <TableCell label={label} className="tabular-nums">
      {count === undefined ? <span className="text-muted">–</span> : formatCount(count)}
    </TableCell>
  );
}
