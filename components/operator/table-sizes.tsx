import { TableCard, TableCell, TableRow } from '@/components/ui/table';
import type { Stats } from '@/lib/admin/schema';
import { formatBytes, formatCount } from './format-size';

const HEADERS = ['Table', { name: 'Rows (estimated)', align: 'end' }, { name: 'Size', align: 'end' }] as const;

/** The sizes of the tables that grow with use. */
export function TableSizes({ database }: { database: Stats['database'] }) {
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
