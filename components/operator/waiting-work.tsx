import { RelativeTime } from '@/components/ui/relative-time';
import { TableCell, TableRow } from '@/components/ui/table';
import { TableCard } from '@/components/ui/table-card';
import type { Stats } from '@/lib/admin/schema';
import { formatCount } from './format-size';

/** Counts the waiting and the dead work of the workers. */
export function WaitingWork({ stats: { deliveries, outbox, mail } }: { stats: Stats }) {
  const split = `${formatCount(deliveries.queued)} queued, ${formatCount(deliveries.retrying)} retrying`;
  const rows = [
    { name: 'Events without deliveries', waiting: outbox.pending, dead: outbox.dead, oldestAt: outbox.oldestPendingAt },
    { name: 'Deliveries', waiting: deliveries.pending, split, due: deliveries.due, oldestAt: deliveries.oldestDueAt },
    { name: 'Emails', waiting: mail.pending, dead: mail.dead, oldestAt: mail.oldestPendingAt },
  ];
  return (
    <TableCard
      title="Waiting"
      description="Work the workers haven’t finished. Dead work isn’t retried."
      headers={['Work', 'Waiting', 'Due', 'Dead', 'Oldest']}
    >
      {rows.map(({ name, waiting, split: parts, due, dead, oldestAt }) => (
        <TableRow key={name}>
          <TableCell className="font-medium">
            {name}
            {parts === undefined ? null : <span className="block font-normal text-muted text-xs">{parts}</span>}
          </TableCell>
          <NumberCell label="Waiting" count={waiting} />
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
