import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import { TableCard, TableCell, TableRow } from '@/components/ui/table';
import type { Stats } from '@/lib/admin/schema';
import { formatCount } from './format-size';

const HEADERS = [
  'Work',
  { name: 'Waiting', align: 'end' },
  { name: 'Due', align: 'end' },
  { name: 'Dead letters', align: 'end' },
  'Oldest',
] as const;

/** Counts the waiting work of the workers and their dead letters. */
export function WaitingWork({ stats: { deliveries, outbox, mail } }: { stats: Stats }) {
  const split = `${formatCount(deliveries.queued)} queued, ${formatCount(deliveries.retrying)} retrying`;
  const rows = [
    { name: 'Events awaiting fan-out', waiting: outbox.pending, dead: outbox.dead, oldestAt: outbox.oldestPendingAt },
    { name: 'Deliveries', waiting: deliveries.pending, split, due: deliveries.due, oldestAt: deliveries.oldestDueAt },
    { name: 'Emails', waiting: mail.pending, dead: mail.dead, oldestAt: mail.oldestPendingAt },
  ];
  return (
    <TableCard title="Queues" description="Queued work. Dead letters aren’t retried." headers={HEADERS}>
      {rows.map(({ name, waiting, split: parts, due, dead, oldestAt }) => (
        <TableRow key={name}>
          <TableCell className="font-medium">
            {name}
            {parts === undefined ? null : <span className="block font-normal text-muted text-xs">{parts}</span>}
          </TableCell>
          <NumberCell label="Waiting" count={waiting} />
          <NumberCell label="Due" count={due} />
          <NumberCell label="Dead letters" count={dead} />
          <TableCell label="Oldest">{oldestAt === null ? <NoValue /> : <RelativeTime at={oldestAt} />}</TableCell>
        </TableRow>
      ))}
    </TableCard>
  );
}

function NumberCell({ label, count }: { label: string; count: number | undefined }) {
  return (
    <TableCell label={label} className="tabular-nums sm:text-right">
      {count === undefined ? <NoValue label="Not counted" /> : formatCount(count)}
    </TableCell>
  );
}
